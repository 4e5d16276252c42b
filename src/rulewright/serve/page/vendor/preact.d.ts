// The part of Preact and htm that the page uses, for `tsc --checkJs`.
export type Child = any;
export type VNode = { type: any; props: any; key: any };
export function h(type: any, props: any, ...children: Child[]): VNode;
export function html(strings: TemplateStringsArray, ...values: any[]): any;
export function render(vnode: any, parent: Element): void;
export const Fragment: any;
export class Component<P = any, S = any> {
  constructor(props?: P);
  props: P;
  state: S;
  base: any;
  setState(next: Partial<S>): void;
  forceUpdate(): void;
}
export function createRef<T = any>(): { current: T | null };
export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(run: () => void | (() => void), on?: any[]): void;
export function useLayoutEffect(run: () => void | (() => void), on?: any[]): void;
export function useRef<T = any>(first?: T | null): { current: T };
export function useMemo<T>(make: () => T, on: any[]): T;
export function useCallback<T extends Function>(run: T, on: any[]): T;
