import type { IndexReader } from "../../src/index/port.ts";

/** The same reader, and the first arguments of all calls of one of its methods. */
export function recordedCalls(
  reader: IndexReader,
  method: "importsOf" | "inheritsOf" | "scopeOf" | "usesOf",
): { readonly reader: IndexReader; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const recording = (argument: string) => {
    calls.push(argument);
    return reader[method](argument);
  };
  return { reader: Object.assign(Object.create(reader), { [method]: recording }), calls };
}
