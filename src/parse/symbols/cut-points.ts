// Points where text that is too long can be cut: the starts of statements. The shallower the better.
import type { Node } from "web-tree-sitter";

/** In lines. Longer nodes get cut points inside, because no chunk may be much longer. */
const LONG_LINES = 40;
/** Code written by people is never nested this deeply. Protects the stack against generated input. */
export const MAX_DEPTH = 60;

/** Marks the starts of the statements in a long node and, recursively, in its long statements. */
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

/**
 * Marks a cut before a row, unless there is a shallower one. `cuts` is indexed by row and holds depths; see
 * `ParsedOutline.cuts`.
 */
export function markCut(cuts: Uint8Array, row: number, depth: number): void {
  const best = cuts[row];
  if (best === 0 || (best !== undefined && best > depth)) cuts[row] = depth;
}

/** Returns the last row with text of the node, because some nodes end at the first column of the next row. */
export function endRowOf(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}
