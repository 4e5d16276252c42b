// The page that compares a promise with a seed: /page/verify.html#table=ID&promise=HASH.
import { ask } from "./api.js";
import { verdict } from "./promise.js";

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
const said = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const given = new URLSearchParams(location.hash.slice(1));

function check() {
  const { kept, words } = verdict(field("seed").value, field("promise").value);
  said.textContent = words;
  said.dataset.kept = String(kept);
}

async function fetched() {
  const table = given.get("table");
  field("promise").value = given.get("promise") || "";
  if (!table) return;
  try {
    const { dice } = await ask("GET", `/api/tables/${encodeURIComponent(table)}`);
    if (dice.chosen) said.textContent = "Whoever opened this table chose the seed: nothing was promised.";
    else if (dice.seed === null) said.textContent = "The match is not over: its seed is told at the end.";
    else {
      field("promise").value ||= dice.commitment;
      field("seed").value = dice.seed;
      check();
    }
  } catch (error) {
    said.textContent = /** @type {any} */ (error).message || "The table cannot be read.";
  }
}

document.getElementById("form")?.addEventListener("submit", (event) => { event.preventDefault(); check(); });
fetched();
