import type { RelatedItem } from "./related.ts";
import type { EngineRequest, RevisionLimits } from "./request.ts";
import type { UseRole } from "../../parse/references/references.ts";

export interface ImpactRequest extends EngineRequest, RevisionLimits {
  /** A symbol, a path, lines of one, or a git change. */
  readonly target: string;
  /** Maximum steps from the target; 1 for direct users only. */
  readonly depth: number;
}

/** A user of the target. Lines are those of the index. */
export interface ImpactUser {
  /** Qualified name; "" at the top level of its file. */
  readonly symbol: string;
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** The symbol that it uses. */
  readonly via: string;
  readonly score: number;
}

export interface ImpactFile {
  readonly path: string;
  /** Likelihood that it is affected, 0 to 1. Only for ordering. */
  readonly score: number;
  /** Lowest depth of its users. */
  readonly depth: number;
  /** Most likely first. */
  readonly users: readonly ImpactUser[];
  /** In an answer of several namespaces, the one with the file. */
  readonly namespace?: string;
  /**
   * How the version of the package that was analyzed differs from the one that the file uses. Its users are then not
   * exact.
   */
  readonly version?: string;
}

export interface ImpactTest {
  readonly path: string;
  readonly why: readonly string[];
  /** How much it tests the target, 0 to 1. The order of the tests uses further signals. */
  readonly score: number;
  /** In an answer of several namespaces, the one with the file. */
  readonly namespace?: string;
}

export interface ImpactResult {
  readonly namespace: string;
  readonly generation: number;
  /** The resolved target: a location, or a comparison. */
  readonly description: string;
  readonly depth: number;
  /** Other definitions that the name could refer to. */
  readonly others: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly namespace?: string;
  }[];
  readonly changedFiles: readonly {
    readonly path: string;
    readonly status: "named" | "added" | "modified" | "deleted";
    /** Qualified names of the changed definitions. */
    readonly symbols: readonly string[];
    /** True when the change lies outside of definitions, or affects the whole file. */
    readonly isWhole: boolean;
    /** Names of removed definitions. */
    readonly gone: readonly string[];
    readonly namespace?: string;
  }[];
  /** Files of any kind that most likely need a change too, from all evidence; empty without a git history. */
  readonly likelyChanges: readonly RelatedItem[];
  /** Affected files except tests, most likely first. */
  readonly files: readonly ImpactFile[];
  /** In the order in which to run them. */
  readonly tests: readonly ImpactTest[];
  readonly docs: readonly RelatedItem[];
  /** Affected entry points: exported symbols without users inside, and starts of programs. */
  readonly entryPoints: readonly {
    readonly path: string;
    readonly line: number;
    readonly symbol: string;
    readonly namespace?: string;
  }[];
  /** False when some users were not followed. */
  readonly isComplete: boolean;
  /** Without users: what may explain that, one or two sentences. */
  readonly hint?: string;
  /** With several namespaces: what could not be searched, one sentence each. */
  readonly missing?: readonly string[];
}
