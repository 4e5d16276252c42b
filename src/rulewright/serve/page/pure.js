// A component that is drawn again only when one of its properties is another value.
import { Component } from "./vendor/preact.js";

/** @param {(props: any) => any} draw */
export function pure(draw) {
  return class extends Component {
    /** @param {any} next */
    shouldComponentUpdate(next) {
      const before = this.props, keys = Object.keys(next);
      return keys.length !== Object.keys(before).length || keys.some((key) => next[key] !== before[key]);
    }
    /** @param {any} props */
    render(props) {
      return draw(props);
    }
  };
}

/** Values that say the same are the same value, so that what draws them is not drawn again. */
export class Same {
  constructor() {
    /** @type {Map<string, {said: string, value: any}>} */
    this.kept = new Map();
  }

  /** @template T @param {string} key @param {T} value @returns {T} */
  of(key, value) {
    const said = JSON.stringify(value) ?? "", kept = this.kept.get(key);
    if (kept && kept.said === said) return kept.value;
    this.kept.set(key, { said, value });
    return value;
  }
}
