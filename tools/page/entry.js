import { h, render, Fragment, Component, createRef } from "preact";
import { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback } from "preact/hooks";
import htm from "htm";
const html = htm.bind(h);
export { h, html, render, Fragment, Component, createRef, useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback };
