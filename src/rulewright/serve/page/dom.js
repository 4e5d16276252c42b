// The few things outside Preact's tree: the bar above, the notice below.

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export const $ = (selector, root = document) => root.querySelector(selector);

/** @type {any} */
let timer = 0;

/**
 * A short word that goes away by itself; with buttons it stays until it is dismissed, or until `unnotice`.
 * @param {string} text
 * @param {boolean} [bad]
 * @param {{label: string, act: () => void}[]|null} [buttons]
 */
export function notice(text, bad = false, buttons = null) {
  const box = $("#notice");
  clearTimeout(timer);
  const said = document.createElement("span");
  said.className = "said";
  said.textContent = text;
  box.replaceChildren(said);
  for (const { label, act } of buttons || []) box.append(button(label, "", act));
  if (buttons) box.append(button("×", "shut", unnotice, "Dismiss"));
  else timer = setTimeout(unnotice, bad ? 6000 : 3500);
  box.classList.toggle("bad", bad);
  box.classList.add("shown");
}

export function unnotice() {
  clearTimeout(timer);
  $("#notice").classList.remove("shown");
}

/** @param {string} label @param {string} kind @param {() => void} act @param {string} [words] */
function button(label, kind, act, words) {
  const made = document.createElement("button");
  made.textContent = label;
  made.className = kind;
  if (words) made.setAttribute("aria-label", words);
  made.addEventListener("click", act);
  return made;
}

/** Enter and space do what a click does, on things that are no buttons. @param {() => void} act */
export const press = (act) => (/** @type {KeyboardEvent} */ e) => {
  if (e.key !== "Enter" && e.key !== " ") return;
  e.preventDefault();
  e.stopPropagation();
  act();
};

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
