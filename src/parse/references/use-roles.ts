// The roles of names: how a use uses the name.
import type { FileScopes } from "./file-scopes.ts";
import { HAS_HEAD, HAS_ROLES, headOf, isPart, TYPE_NAME, useRoleOf } from "./grammar-rules.ts";
import type { UseRole } from "./references.ts";
import type { TypeRanges } from "./type-ranges.ts";

/** Maximum number of parent nodes whose roles are checked for a name. */
const MAX_HEADS = 50;

/** Returns the role of a name; "none" for type variables, if the language has a form of its own for names of types. */
export function roleOf(
  leaf: number,
  kind: number,
  file: Pick<FileScopes, "tree" | "grammar">,
  types: TypeRanges,
): UseRole | "none" {
  const { typeNames } = file.grammar.rules;
  if (typeNames !== undefined && types.has(leaf))
    return typeNames.test(file.tree.textOf(leaf)) ? "type" : "none";
  const role = roleByParents(leaf, file);
  if (role !== undefined) return role;
  return kind === TYPE_NAME || types.has(leaf) ? "type" : "value";
}

/** Returns the role that a parent node gives to the name of its part: `b` in `new (a.b)()`; undefined if there is none. */
function roleByParents(
  leaf: number,
  { tree, grammar }: Pick<FileScopes, "tree" | "grammar">,
): UseRole | "none" | undefined {
  let node = leaf;
  for (let left = MAX_HEADS; left > 0; left -= 1) {
    const parent = tree.parent(node);
    if (parent === -1) break;
    const type = tree.types[parent] ?? 0;
    const mark = grammar.marks[type] ?? 0;
    const rule = grammar.nodes[type];
    if (rule === undefined || mark === 0) break;
    if ((mark & HAS_ROLES) !== 0) {
      const role = useRoleOf(tree, node, rule);
      if (role !== undefined) return role;
    }
    const head = (mark & HAS_HEAD) === 0 ? undefined : headOf(rule);
    if (head === undefined || !isPart(tree, node, head)) break;
    node = parent;
  }
  return undefined;
}
