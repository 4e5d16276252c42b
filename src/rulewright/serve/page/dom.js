// Small helpers to build elements. Text is always text: nothing here parses HTML.

export function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

export function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(made, attributes, children);
  return made;
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.setAttribute("class", value);
    else if (name === "data") for (const [k, v] of Object.entries(value)) made.dataset[k] = v;
    else made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
}

export const $ = (selector, root = document) => root.querySelector(selector);

let timer = 0;
// A short word that goes away by itself; with `more`, buttons and no hurry.
export function notice(text, bad = false, more = []) {
  const box = $("#notice");
  clearTimeout(timer);
  const shut = () => box.classList.remove("shown");
  box.replaceChildren(h("span", { class: "said" }, text), ...more, more.length ? h("button", { class: "shut", "aria-label": "Dismiss", onclick: shut }, "×") : "");
  box.classList.toggle("bad", bad);
  box.classList.add("shown");
  if (!more.length) timer = setTimeout(shut, bad ? 6000 : 3500);
}
