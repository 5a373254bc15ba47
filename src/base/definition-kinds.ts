/** Whether definitions of a kind hold a value: variables, constants, fields. */
export function isValueKind(kind: string | undefined): boolean {
  return kind === "constant" || kind === "field";
}

/** Whether definitions of a kind can be called. */
export function isCallableKind(kind: string | undefined): boolean {
  return kind === "function" || kind === "method";
}
