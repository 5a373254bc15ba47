// What the hooks of React return. A reference and a state are collections of one value.
import type { CallResult } from "../reference-rules.ts";

const HELD: CallResult = { argument: 0, returns: "several", isTyped: true };

const HOOKS: Readonly<Record<string, CallResult>> = {
  createContext: HELD,
  useState: HELD,
  useRef: HELD,
  useContext: { argument: 0, returns: "element" },
  useMemo: { argument: 0, returns: "result" },
};

/** By the callee as written. */
export const reactHooks: Readonly<Record<string, CallResult>> = Object.fromEntries(
  Object.entries(HOOKS).flatMap(([name, result]) => [
    [name, result],
    [`React.${name}`, result],
  ]),
);
