// What functions of the language itself return, and the hooks of React. A reference and a state are collections of one value.
import type { CallResult } from "../reference-rules.ts";

const HELD: CallResult = { argument: 0, returns: "several", isTyped: true };

const HOOKS: Readonly<Record<string, CallResult>> = {
  createContext: HELD,
  useState: HELD,
  useRef: HELD,
  useContext: { argument: 0, returns: "element" },
  useMemo: { argument: 0, returns: "result" },
};

const VALUE: CallResult = { argument: 0, returns: "value" };
const ELEMENTS: CallResult = { argument: 0, returns: "elements" };

/** What functions of the language itself return. The entries of an object are as those of a map: loops destructure them. */
const STANDARD: Readonly<Record<string, CallResult>> = {
  "Array.from": ELEMENTS,
  "Object.entries": ELEMENTS,
  "Object.freeze": VALUE,
  "Object.values": ELEMENTS,
  "Promise.all": ELEMENTS,
  "Promise.race": { argument: 0, returns: "element" },
  "Promise.resolve": VALUE,
  structuredClone: VALUE,
};

/** By the callee as written. */
export const knownCalls: Readonly<Record<string, CallResult>> = {
  ...STANDARD,
  ...Object.fromEntries(
    Object.entries(HOOKS).flatMap(([name, result]) => [
      [name, result],
      [`React.${name}`, result],
    ]),
  ),
};
