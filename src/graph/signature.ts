// Parses signatures: see `FileReferences.signatures`.

import type { SymbolRef } from "./entity.ts";

/** Returns the parameters in a signature; undefined if the definition has none, as a field. */
export function parameterTexts(signature: string | undefined): readonly string[] | undefined {
  if (signature?.startsWith("(") !== true) return undefined;
  const list = signature.slice(1, signature.indexOf(")"));
  return list === "" ? [] : list.split(",");
}

/** Returns the text of a parameter's type, without the marks for defaults and variadic parameters. */
export function typeTextOf(parameter: string): string {
  return parameter.replace(/=?(?:\.\.\.)?$/, "");
}

/** Returns the type after the parameters; "" if `types` shows it. */
export function resultText(signature: string): string {
  return signature.slice(signature.indexOf(")") + 1);
}

/** Returns whether a definition can be called with that many arguments; true if its parameters are not known. */
export function takesArguments({ file, number }: SymbolRef, count: number): boolean {
  const parameters = parameterTexts(file.signatures?.[number]);
  if (parameters === undefined) return true;
  const isVariadic = parameters.some((text) => text.endsWith("..."));
  const required = parameters.filter((text) => !/(?:=|\.\.\.)$/.test(text)).length;
  return count >= required && (isVariadic || count <= parameters.length);
}
