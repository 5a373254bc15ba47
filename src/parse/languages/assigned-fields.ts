// Fields that exist because a method assigns them: `self.name = …`, `this.name = …`.
import type { Node } from "web-tree-sitter";

import { nameAt, type DefinitionRule, type LeafDefinition } from "./definition-rules.ts";

const ASSIGNMENTS = new Set(["assignment", "assignment_expression"]);
const NO_BODY = (): undefined => undefined;

/**
 * Returns the fields that `method` assigns. `pattern` is global and matches from the start of an assignment
 * to the end of the name. The text is searched first, because few statements are assignments and every access
 * to a node costs a call into WebAssembly.
 */
export function assignedFields(
  method: Node,
  text: string,
  pattern: RegExp,
): readonly LeafDefinition[] {
  const found: LeafDefinition[] = [];
  const known = new Set<string>();
  const start = method.startIndex;
  for (const match of text.slice(start, method.endIndex).matchAll(pattern)) {
    const name = match[1] ?? "";
    if (known.has(name)) continue;
    const last = start + match.index + match[0].length - 1;
    const leaf = method.namedDescendantForIndex(last);
    // A match in a string or comment is not an assignment.
    if (leaf?.type.endsWith("identifier") !== true) continue;
    const assignment = leaf.parent?.parent;
    if (!assignment || !ASSIGNMENTS.has(assignment.type)) continue;
    known.add(name);
    const rule: DefinitionRule = { kind: "field", name: () => nameAt(leaf), body: NO_BODY };
    found.push({ node: assignment, rule });
  }
  return found;
}
