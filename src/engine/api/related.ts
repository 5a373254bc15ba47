import type { OtherDefinition } from "./references.ts";
import type { EngineRequest, RevisionLimits } from "./request.ts";

/** How a file may be related to another. */
export type Relation = "similar" | "tests" | "docs" | "changed_together";

export interface RelatedRequest extends EngineRequest, RevisionLimits {
  readonly target: string;
  /** All relations by default, with the best few items of each. */
  readonly relation?: Relation | undefined;
  readonly limit: number;
}

export interface RelatedItem {
  readonly path: string;
  /** 1-based; 0 for a whole file. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition or section there; "" when there is none. */
  readonly symbol: string;
  readonly why: readonly string[];
  /** Comparable only within the same relation. */
  readonly score: number;
  /** In an answer of several namespaces, the one with the file. */
  readonly namespace?: string;
}

export interface RelatedGroup {
  readonly relation: Relation;
  /** Best first. */
  readonly items: readonly RelatedItem[];
  /** Why the group is empty, as a sentence, when that is not obvious. */
  readonly problem: string | undefined;
}

export interface RelatedResult {
  readonly namespace: string;
  readonly generation: number;
  /** Path of the resolved target. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  /** Other definitions that the name could refer to. */
  readonly others: readonly OtherDefinition[];
  readonly groups: readonly RelatedGroup[];
}
