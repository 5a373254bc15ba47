import type { KeyNode } from "../../../src/parse/schemas/key-node.ts";

/** Returns keys as `line-line key=value`, indented by depth. */
export function keyLines({ children }: KeyNode, indent = ""): string[] {
  return children.flatMap((child) => [
    `${indent}${child.line}-${child.endLine} ${child.key}${child.value === undefined ? "" : `=${child.value}`}`,
    ...keyLines(child, `${indent}  `),
  ]);
}
