// Where something too long may be cut: at the beginnings of statements, the shallower the better.
import type { Node } from "web-tree-sitter";

/** Nodes longer than this get cut points inside, as no chunk may be much longer. */
const LONG_LINES = 40;
/** No code people write nests so deep; guards the stack against generated input. */
export const MAX_DEPTH = 60;

/** Marks the beginnings of the statements in a long node, and of those in the long ones of them. */
export function markInside(cuts: Uint8Array, node: Node, depth: number): void {
  if (depth > MAX_DEPTH || endRowOf(node) - node.startPosition.row < LONG_LINES) return;
  let commentRow: number | undefined;
  for (const child of node.namedChildren) {
    const startRow = child.startPosition.row;
    if (child.isExtra) {
      commentRow ??= startRow;
      continue;
    }
    markCut(cuts, commentRow ?? startRow, depth);
    commentRow = undefined;
    markInside(cuts, child, depth + 1);
  }
}

/** `cuts` is indexed by row and holds depths; see `ParsedOutline.cuts`. */
export function markCut(cuts: Uint8Array, row: number, depth: number): void {
  const best = cuts[row];
  if (best === 0 || (best !== undefined && best > depth)) cuts[row] = depth;
}

/** Last row with text in it: some nodes end at the first column of the next row. */
export function endRowOf(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}
