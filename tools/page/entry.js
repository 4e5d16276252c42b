import { h, render, Fragment, Component, createRef } from "preact";
import { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback } from "preact/hooks";
import htm from "htm";
// htm keeps what has no values in it, and with it, by way of its parent, the whole tree that it was drawn in first: over a
// long match that is every row that ever stood in the log. `this[0] = 3` says that nothing may be kept.
const html = htm.bind(function (...args) {
  this[0] = 3;
  return h(...args);
});
export { h, html, render, Fragment, Component, createRef, useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback };
