// Puts the icons that books may name into one module: `npm run icons`, from the open set Lucide.
import { readFileSync, writeFileSync } from "node:fs";

const NAMES = `anchor axe biohazard bird bomb bone book brain brick-wall bug cat church circle circle-dot cloud cloud-fog coins compass
  cross crown diamond dog door-open drama droplet drumstick eye fence feather fish flag flame footprints gem ghost gift hammer hand heart
  heart-crack hexagon hourglass house key landmark layers leaf lightbulb lock map-pin moon mountain orbit package pickaxe
  radiation rat rocket sailboat scroll shell shield ship skull snowflake sparkles sprout squirrel star sun sword swords target tent
  tower-control tree-pine trees trophy turtle umbrella user users wand waves wheat wind worm x zap`.split(/\s+/);

const found = {};
for (const name of NAMES) {
  try {
    const text = readFileSync(new URL(`node_modules/lucide-static/icons/${name}.svg`, import.meta.url), "utf8");
    found[name] = text.replace(/<!--[\s\S]*?-->/g, "").replace(/^[\s\S]*?<svg[^>]*>/, "").replace("</svg>", "").replace(/\s+/g, " ").trim();
  } catch {
    console.error(`no icon is called ${name}`);
  }
}
const out = new URL("../../src/rulewright/serve/page/vendor/icons.js", import.meta.url);
writeFileSync(out, `// Icons of Lucide (ISC), by name; made by tools/page/icons.mjs. Each is drawn on 24 by 24.\nexport const ICONS = ${JSON.stringify(found, null, 1)};\n`);
