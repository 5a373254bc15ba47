// The state of the walk over a syntax tree, and the comments that precede the next definition.
import type { Node } from "web-tree-sitter";

import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import type {
  AccessLevel,
  Definition,
  SymbolKind,
  LanguageRules,
} from "../languages/definition-rules.ts";

/** Comments and attributes directly before a node. */
export interface Lead {
  readonly startRow: number;
  readonly startIndex: number;
  endRow: number;
  endIndex: number;
}

/** The state of one walk. */
export interface OutlineWalk {
  readonly text: string;
  /** Characters of a signature; few by default. */
  readonly maxSignatureChars: number | undefined;
  readonly rules: LanguageRules;
  readonly tree: FlatSyntaxTree;
  readonly cuts: Uint8Array;
  /** The comments and attributes since the last statement. */
  lead: Lead | undefined;
  /** Row in which the last statement ended. A comment in that row is a trailing comment. */
  lastRow: number;
  /** The fields that the methods of the current class have assigned so far. */
  attributes: Definition[];
}

/** Where a node is in the outline. */
export interface OutlinePlace {
  readonly parent: SymbolKind | undefined;
  /** See `AccessFacts.outer`. */
  readonly outer: AccessLevel;
  /** See `AccessFacts.section`. */
  readonly section: AccessLevel | undefined;
  readonly depth: number;
  readonly inFunction: boolean;
  /** In a function: whether a variable of that name is a symbol. Undefined if none is. */
  readonly isLocal?: ((name: string) => boolean) | undefined;
  /** In a function: whether it returns a value of that name in an object. Undefined if it returns none. */
  readonly isReturned?: ((name: string) => boolean) | undefined;
  /** True in a short function of which only what it returns is indexed. */
  readonly isReturnedOnly?: boolean | undefined;
  /** True if nothing in it becomes a chunk. */
  readonly isInline: boolean;
  /** False if another level marks the cuts. */
  readonly marksCuts: boolean;
  /** Offset of the wrapper of the node. Its keywords belong to the signature. */
  readonly outerStart?: number;
}

/** A node during the walk. */
export interface FoundNode {
  readonly node: Node;
  // Every access to a node calls into WebAssembly, so the type and end row are read once.
  readonly type: string;
  readonly endRow: number;
  readonly place: OutlinePlace;
  readonly lead: Lead | undefined;
}

/** Returns the lead of the node that begins in `row`, and clears it. */
export function takeLead(walk: OutlineWalk, row: number): Lead | undefined {
  const { lead } = walk;
  // Cleared in any case: a comment at the end of a block must not go to a node after the block.
  walk.lead = undefined;
  return isAdjacent(lead, row) ? lead : undefined;
}

function isAdjacent(lead: Lead | undefined, row: number): lead is Lead {
  return lead !== undefined && row - lead.endRow <= 1;
}

/** Adds a comment or attribute to the current lead, or starts a new one. */
export function extendLead(
  walk: OutlineWalk,
  { node, startRow, endRow }: { node: Node; startRow: number; endRow: number },
): void {
  if (startRow === walk.lastRow && walk.lead === undefined) return;
  const { startIndex, endIndex } = node;
  if (isAdjacent(walk.lead, startRow)) {
    walk.lead.endRow = endRow;
    walk.lead.endIndex = endIndex;
  } else {
    walk.lead = { startRow, startIndex, endRow, endIndex };
  }
}

/** Returns the first row of the node, its lead included. */
export function startRowOf({ node, lead }: FoundNode): number {
  return lead?.startRow ?? node.startPosition.row;
}
