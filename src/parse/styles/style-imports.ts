// The imports of style sheets: `@use`, `@forward`, `@import` and `@reference`.

import type { Import } from "../references/references.ts";

const RULE = /^@(use|forward|import|reference)\b\s*(?:\([^()]*\)\s*)?([^]*)$/;
const PATH = /^\s*(?:url\(\s*)?(["']?)([^"'()\s;]+)\1\s*\)?\s*,?/;
const NAMESPACE = /^\s*as\s+([\w-]+|\*)/;
/** Maximum style sheets of one rule. */
const MAX_PATHS = 50;

/** Returns the imports of a rule; none if it is another one. */
export function styleImports(text: string, line: number): readonly Import[] {
  const [, rule = "", rest = ""] = RULE.exec(text) ?? [];
  if (rule === "") return [];
  const found: Import[] = [];
  let left = rest;
  for (let count = 0; count < MAX_PATHS; count += 1) {
    const match = PATH.exec(left);
    const module = match?.[2] ?? "";
    if (match === null || module === "") break;
    left = left.slice(match[0].length);
    found.push(importOf(rule, { module, line, rest: left }));
    if (rule !== "import" || !match[0].trimEnd().endsWith(",")) break;
  }
  return found;
}

function importOf(
  rule: string,
  { module, line, rest }: { readonly module: string; readonly line: number; readonly rest: string },
): Import {
  const plain = { module, line, bindings: [] };
  if (rule !== "use") return { ...plain, isWildcard: true, isReexport: rule !== "reference" };
  const local = NAMESPACE.exec(rest)?.[1] ?? namespaceOf(module);
  if (local === "*") return { ...plain, isWildcard: true, isReexport: false };
  return { ...plain, bindings: [{ name: "*", local }], isWildcard: false, isReexport: false };
}

/** The last part of the path, without the dash of a partial and the ending. */
function namespaceOf(module: string): string {
  const last = module.slice(Math.max(module.lastIndexOf("/"), module.lastIndexOf(":")) + 1);
  return last.replace(/^_/, "").replace(/\.\w+$/, "");
}
