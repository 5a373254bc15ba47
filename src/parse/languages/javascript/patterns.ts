import type { Node } from "web-tree-sitter";

import { fieldNode } from "../definition-rules.ts";

const NAMES = new Set(["identifier", "shorthand_property_identifier_pattern"]);

/** Returns the names that a pattern such as `{ a, b: [c = 1], ...rest }` binds. */
export function patternNames(pattern: Node | undefined): readonly Node[] {
  if (pattern === undefined) return [];
  if (NAMES.has(pattern.type)) return [pattern];
  switch (pattern.type) {
    case "pair_pattern":
      return patternNames(fieldNode(pattern, "value"));
    case "assignment_pattern":
    case "object_assignment_pattern":
      return patternNames(fieldNode(pattern, "left"));
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      return pattern.namedChildren.flatMap((child) => patternNames(child));
    default:
      return [];
  }
}
