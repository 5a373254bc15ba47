import { parseSwift } from "../../src/parse/languages/swift/parse-swift.ts";

/** The uses in a text of Swift as "line role name", with the receiver and with the labels in parentheses. */
export function swiftUses(text: string): readonly string[] {
  return parseSwift(text).references.uses.map(
    ({ line, role, name, receiver, arguments: passed }) =>
      `${line} ${role} ${name}${receiver === "" ? "" : ` of ${receiver}`}${passed === undefined ? "" : ` (${passed})`}`,
  );
}

/** The symbols as "kind name lines", with the type and the mark, if there are any. */
export function swiftSymbols(text: string): readonly string[] {
  const { symbols, references } = parseSwift(text);
  return symbols.map(({ kind, qualifiedName, startLine, endLine }, number) => {
    const type = references.types[number] ?? "";
    const mark = references.signatures?.[number] ?? "";
    return `${kind} ${qualifiedName} ${startLine}-${endLine}${type === "" ? "" : ` ${type}`}${mark === "" ? "" : ` | ${mark}`}`;
  });
}
