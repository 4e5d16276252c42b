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
