// Whether somebody points: what comes to lie under a pointer that has rested since it pressed was not pointed at.

let still = false, x = -1, y = -1;

/** @param {PointerEvent} event */
function note(event) {
  if (event.type === "pointerdown") still = true;
  else if (event.clientX !== x || event.clientY !== y) still = false;
  [x, y] = [event.clientX, event.clientY];
}

export const rests = () => still;

for (const kind of ["pointerdown", "pointermove"]) addEventListener(kind, /** @type {any} */ (note), { capture: true, passive: true });
