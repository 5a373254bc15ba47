// What known functions return: those of the language itself, the hooks of React, and those of schemas, clients and stores. A reference
// and a state are collections of one value.
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

const LISTED: CallResult = { argument: 0, returns: "several" };
const ONE_OF: CallResult = { argument: 0, returns: "element" };

/** Schemas made of others, by the part of Zod's name after `z.`. */
const SCHEMAS: Readonly<Record<string, CallResult>> = {
  array: LISTED,
  set: LISTED,
  record: { argument: 1, returns: "several" },
  map: { argument: 1, returns: "several" },
  optional: VALUE,
  nullable: VALUE,
  nullish: VALUE,
  promise: VALUE,
  readonly: VALUE,
  lazy: { argument: 0, returns: "result" },
  union: ONE_OF,
  discriminatedUnion: { argument: 1, returns: "element" },
};

const OF_TYPE: CallResult = { argument: 0, returns: "type", isTyped: true };
/** Other functions have this name too. */
const OF_ZUSTAND: CallResult = { ...OF_TYPE, from: "zustand" };

/** Functions of libraries that return an object of their type argument: clients of tRPC, stores of Zustand. */
const TYPED: Readonly<Record<string, CallResult>> = {
  createTRPCReact: OF_TYPE,
  createTRPCNext: OF_TYPE,
  createTRPCClient: OF_TYPE,
  createTRPCProxyClient: OF_TYPE,
  createTRPCContext: OF_TYPE,
  createTRPCOptionsProxy: OF_TYPE,
  create: OF_ZUSTAND,
  createStore: OF_ZUSTAND,
};

/** By the callee as written. */
export const knownCalls: Readonly<Record<string, CallResult>> = {
  ...STANDARD,
  ...TYPED,
  ...Object.fromEntries(
    ["z", "v"].flatMap((library) =>
      Object.entries(SCHEMAS).map(([name, result]) => [`${library}.${name}`, result]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(HOOKS).flatMap(([name, result]) => [
      [name, result],
      [`React.${name}`, result],
    ]),
  ),
};
