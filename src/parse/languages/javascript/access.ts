// Access rules of JavaScript: exports of modules and private members of classes.
import type { Node } from "web-tree-sitter";

import { isValueKind } from "../../../base/definition-kinds.ts";
import type { AccessLevel, AccessChange, AccessFacts } from "../definition-rules.ts";

const MODULE = /^(?:import|export)\b|\bmodule\.exports\b|\bexports\.|\brequire\(/m;
const LIST = /export\s*(?:type\s*)?\{([^{}]*)\}(?!\s*from)|module\.exports\s*=\s*\{([^{}]*)\}/y;
const SINGLE =
  /export\s+default\s+([\w$]+)\s*(?:;|$)|export\s*=\s*([\w$]+)|(?:module\.exports|exports)(?:\.\w+)?\s*=\s*([\w$]+)\s*(?:;|$)/my;

/**
 * Returns the access of top-level definitions: "private" in a module that does not export them, "internal" in
 * a script, whose definitions are global.
 */
export function fileAccess(_path: string, text: string): AccessLevel {
  return MODULE.test(text) ? "private" : "internal";
}

/** Returns the access of a definition by its modifiers and its container. */
export function javascriptMemberAccess({
  name,
  kind,
  head,
  parent,
  outer,
}: AccessFacts): AccessLevel {
  if (parent === "class") {
    if (name.startsWith("#") || /\bprivate\b/.test(head)) return "private";
    return /\bprotected\b/.test(head) ? "internal" : "exported";
  }
  if (parent === "type" || isValueKind(parent)) return outer;
  if (parent === undefined && isProperty({ name, kind, head })) return "exported";
  // In `declare module "x" {…}` everything is exported.
  if (/\bexport\b|\bexports(?:\.|\s*=)/.test(head))
    return parent === undefined ? "exported" : outer;
  if (parent === undefined) return outer;
  return outer === "exported" ? "internal" : outer;
}

/** Returns whether it is a property that is assigned outside its type, or all that a script exports. */
function isProperty({ name, kind, head }: Pick<AccessFacts, "name" | "kind" | "head">): boolean {
  return kind === "field" || (name === "exports" && head.endsWith("module."));
}

/**
 * Returns the names exported by `export { a, b as c }`, `export default a`, `module.exports = { a, b }` or
 * `exports.a = a`.
 */
export function javascriptAccessChange(statement: Node, text: string): AccessChange | undefined {
  const first = text[statement.startIndex];
  if (first !== "e" && first !== "m") return undefined;
  const names = listed(statement.startIndex, text) ?? single(statement.startIndex, text);
  return names && { access: "exported", names };
}

function listed(start: number, text: string): ReadonlySet<string> | undefined {
  LIST.lastIndex = start;
  const match = LIST.exec(text);
  const list = match?.[1] ?? match?.[2];
  if (list === undefined) return undefined;
  const parts = list.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").split(",");
  return new Set(parts.map((part) => localName(part.trim(), match?.[1] === undefined)));
}

/** Returns `a` of `a as b`, and of `b: a` in an object. */
function localName(part: string, isObject: boolean): string {
  if (isObject) return part.replace(/^[\w$"'-]+\s*:\s*/, "");
  return part.replace(/^type\s+(?=[\w$])/, "").replace(/\s+as\s[^]*$/, "");
}

function single(start: number, text: string): ReadonlySet<string> | undefined {
  SINGLE.lastIndex = start;
  const match = SINGLE.exec(text);
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  return name === undefined ? undefined : new Set([name]);
}
