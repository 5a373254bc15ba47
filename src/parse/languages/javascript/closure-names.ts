// The names that the functions inside a function use. A variable with such a name outlives one call and is a symbol.
import type { Node } from "web-tree-sitter";

import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "function_declaration",
]);
const INNER_FUNCTIONS: ReadonlySet<string> = new Set([...FUNCTIONS, "method_definition"]);

/** Of a function, without its closing bracket. Offsets in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** All functions of a tree, in the order of their starts: a tree is searched once, not once for each function in it. */
const functionsOfTrees = new WeakMap<FlatSyntaxTree, readonly Span[]>();

/**
 * Returns a test for the names that functions inside a function's body use. Of several variables of a name, it
 * accepts the first.
 */
export function usedInClosures(body: Node, tree: FlatSyntaxTree): (name: string) => boolean {
  let inner: string | undefined;
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return false;
    known.add(name);
    inner ??= outermostIn(body, tree)
      .map(({ start, end }) => tree.text.slice(start, end))
      .join("\n");
    return hasName(inner, name);
  };
}

/** Returns the functions in a body that are in no other function of it. */
function outermostIn({ startIndex, endIndex }: Node, tree: FlatSyntaxTree): readonly Span[] {
  const functions = functionsOf(tree);
  const found: Span[] = [];
  let end = startIndex;
  for (let at = firstFrom(functions, startIndex); at < functions.length; at += 1) {
    const one = functions[at];
    if (one === undefined || one.start >= endIndex) break;
    if (one.start < end || one.end > endIndex) continue;
    found.push(one);
    end = one.end;
  }
  return found;
}

function functionsOf(tree: FlatSyntaxTree): readonly Span[] {
  let functions = functionsOfTrees.get(tree);
  if (functions === undefined) {
    const isFunction = tree.shape.typeNames.map((name) => INNER_FUNCTIONS.has(name));
    const found: Span[] = [];
    for (let node = 0; node < tree.count; node += 1) {
      if (isFunction[tree.types[node] ?? 0] === true)
        found.push({ start: tree.start(node), end: tree.end(node) });
    }
    functions = found;
    functionsOfTrees.set(tree, functions);
  }
  return functions;
}

/** Returns the index of the first function that starts at an offset or after it. */
function firstFrom(functions: readonly Span[], offset: number): number {
  let [low, high] = [0, functions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((functions[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether a text has a name as a whole word that is not a property of something. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + name.length]];
    if (!/[\w$.]/.test(before) && !/[\w$]/.test(after)) return true;
  }
  return false;
}
