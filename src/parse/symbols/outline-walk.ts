// What the reading of a syntax tree knows at each node, and the comments that wait for their definition.
import type { Node } from "web-tree-sitter";

import type {
  AccessLevel,
  Definition,
  SymbolKind,
  LanguageRules,
} from "../languages/definition-rules.ts";

/** Comments and attributes that stand directly before a node. */
export interface Lead {
  readonly startRow: number;
  readonly startIndex: number;
  endRow: number;
  endIndex: number;
}

export interface OutlineWalk {
  readonly text: string;
  readonly rules: LanguageRules;
  readonly cuts: Uint8Array;
  /** What was seen since the last statement. */
  lead: Lead | undefined;
  /** Row in which the last statement ended: a comment there trails it. */
  lastRow: number;
  /** What the methods of the class that is read have assigned to its instances. */
  attributes: Definition[];
}

export interface OutlinePlace {
  readonly parent: SymbolKind | undefined;
  /** See `AccessFacts.outer`. */
  readonly outer: AccessLevel;
  /** See `AccessFacts.section`. */
  readonly section: AccessLevel | undefined;
  readonly depth: number;
  readonly inFunction: boolean;
  /** True where nothing becomes a chunk. */
  readonly isInline: boolean;
  /** False where the cuts are marked by somebody else. */
  readonly marksCuts: boolean;
  /** Where the wrapper around the node begins; its keywords belong to the signature. */
  readonly outerStart?: number;
}

export interface FoundNode {
  readonly node: Node;
  // Each question to a node costs a call into WebAssembly: these two are asked once.
  readonly type: string;
  readonly endRow: number;
  readonly place: OutlinePlace;
  readonly lead: Lead | undefined;
}

/** The lead of what begins in `row`; what comes after has none of it. */
export function takeLead(walk: OutlineWalk, row: number): Lead | undefined {
  const { lead } = walk;
  // Cleared first: a comment at the end of a block may belong to what comes after the block.
  walk.lead = undefined;
  return isAdjacent(lead, row) ? lead : undefined;
}

function isAdjacent(lead: Lead | undefined, row: number): lead is Lead {
  return lead !== undefined && row - lead.endRow <= 1;
}

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

export function startRowOf({ node, lead }: FoundNode): number {
  return lead?.startRow ?? node.startPosition.row;
}
