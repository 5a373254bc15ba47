import type { ChunkKind } from "../../index/types.ts";
import type { Certainty } from "../../graph/reference-graph.ts";
import type { EngineRequest, PathLimits, RevisionLimits } from "./request.ts";

export interface ApiChangesRequest extends EngineRequest, PathLimits, RevisionLimits {
  /** The old version: a commit, branch or tag. */
  readonly since: string;
  /** Maximum number of changes; breaking ones come first. */
  readonly limit: number;
}

/** What differs between two declarations. */
export interface ApiDetail {
  readonly what:
    | "parameter removed"
    | "parameter added"
    | "optional parameter added"
    | "parameter renamed"
    | "parameter made required"
    | "parameter made optional"
    | "parameter given differently"
    | "parameter type"
    | "parameters reordered"
    | "default"
    | "result type"
    | "type"
    | "type parameters"
    | "bases"
    | "inherited members removed"
    | "made optional"
    | "made required"
    | "made"
    | "no longer"
    | "kind"
    | "overload removed"
    | "overload added";
  /** Whether a call or a use that was right may be wrong now. */
  readonly isBreaking: boolean;
  /** "" if it is about no parameter. */
  readonly parameter: string;
  readonly before: string;
  readonly after: string;
}

/** A place that uses the old definition. */
export interface ApiUser {
  /** Its namespace, if the request names several. */
  readonly namespace?: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Qualified name of the definition around it; "" at the top level. */
  readonly symbol: string;
  readonly certainty: Certainty;
  /** The version that the project of the place uses, or the versions that it allows; absent within the project. */
  readonly version?: string;
  /** True if a lock file says the version. */
  readonly isLocked?: boolean;
}

export interface ApiChange {
  /** `signature`: also the kind, what it inherits from, and the type of a value. */
  readonly change: "removed" | "renamed" | "moved" | "signature" | "added";
  readonly isBreaking: boolean;
  readonly kind: ChunkKind;
  /** The name by which users know it; the old one, except of what was added. */
  readonly name: string;
  /** Other names of the same definition. */
  readonly aliases: readonly string[];
  /** New name of a renamed or moved definition. */
  readonly newName: string;
  /** The file and line of the new version, of what was removed those of the old one. */
  readonly path: string;
  readonly line: number;
  /** "" for what was added. */
  readonly oldSignature: string;
  /** "" for what was removed. */
  readonly signature: string;
  readonly details: readonly ApiDetail[];
  /** Number of its members, which were removed, renamed, moved or added with it. */
  readonly members: number;
  /** The first few, those of the project first. Of breaking changes only. */
  readonly users: readonly ApiUser[];
  /** Number of users; undefined if nobody looked for them. */
  readonly userCount: number | undefined;
}

export interface ApiChangesResult {
  /** As the request names it. */
  readonly namespace: string;
  readonly since: string;
  /** "" for the files as they are now. */
  readonly at: string;
  /** Breaking ones first: removed, renamed, moved, changed. Then other changes, then what was added. */
  readonly changes: readonly ApiChange[];
  /** Numbers of all changes, also those beyond the limit. */
  readonly breaking: number;
  readonly compatible: number;
  readonly added: number;
  readonly hasMore: boolean;
  /** What is missing from the answer, a sentence each. */
  readonly missing: readonly string[];
}
