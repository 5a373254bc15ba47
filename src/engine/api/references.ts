import type { EngineRequest, PathLimits, RevisionLimits } from "./request.ts";
import type { UseRole } from "../../parse/references/references.ts";

export const REFERENCE_RELATIONS = [
  "references",
  "callers",
  "callees",
  "implementations",
  "imports",
  "importers",
] as const;

export type ReferenceRelation = (typeof REFERENCE_RELATIONS)[number];

export interface ReferencesRequest extends EngineRequest, PathLimits, RevisionLimits {
  /**
   * A name, `path#name`, `path:line`; for imports and importers also a path. Also an environment variable, a route such as
   * `GET /users/{id}` or a table, with `env:`, `route:` or `table:` before it if a definition has the same name.
   */
  readonly symbol: string;
  readonly relation: ReferenceRelation;
  /** Levels of users: 1 for direct ones, 2 also for their users, and so on. */
  readonly depth: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundReference {
  readonly path: string;
  readonly line: number;
  /** In a document, where the line is: `nb.ipynb:cell 7:4`. */
  readonly place?: string | undefined;
  /** Where the name begins in the line, in characters from 1; the first of the line's text if it has no name. */
  readonly column: number;
  /** The current line, without its indentation. */
  readonly text: string;
  /** Qualified name of the enclosing definition, or of the found one for callees and implementations; or "". */
  readonly symbol: string;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** Beyond the first level: the symbol of the previous level that it is connected with. */
  readonly via: string;
  /** The file that `line` and `text` are of: for `imports` the one that imports `path`; "" where it is `path` itself. */
  readonly from: string;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
  /** In an answer of several namespaces, the one with the file `path`. */
  readonly namespace?: string;
  /** In such an answer, the namespace of `from` where that is another one. */
  readonly fromNamespace?: string;
  /**
   * How the version of the package that was searched differs from the one that is used: the reference was resolved in a
   * version that is not used, and counts as by name.
   */
  readonly version?: string;
}

/** Another definition that a name could refer to. */
export interface OtherDefinition {
  readonly path: string;
  readonly startLine: number;
  readonly qualifiedName: string;
  /** In an answer of several namespaces, the one with the file. */
  readonly namespace?: string;
}

export interface ReferencesResult {
  readonly namespace: string;
  readonly generation: number;
  /**
   * The resolved symbol; lines are 0 for a whole file. For a shared name, `env:PORT`, the first place that declares it; the
   * path is "" if none does.
   */
  readonly target: {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol: string;
    /** In an answer of several namespaces, the one with the file. */
    readonly namespace?: string;
  };
  /** Other definitions that the name could refer to. */
  readonly others: readonly OtherDefinition[];
  /** Lower depths first, exact ones before those by name. */
  readonly references: readonly FoundReference[];
  /** These three count all pages. */
  readonly exact: number;
  readonly byName: number;
  readonly files: number;
  /** A possible reason for an answer without references, one or two sentences. */
  readonly hint?: string;
  readonly nextCursor: string | undefined;
  /** What could not be searched, one sentence each. */
  readonly missing?: readonly string[];
}
