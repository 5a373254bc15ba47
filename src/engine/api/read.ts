import type { ErrorCode } from "../../base/errors.ts";
import type { PathProblem } from "../../sources/unknown-path.ts";
import type { OutdatedName } from "./outdated.ts";
import type { EngineRequest } from "./request.ts";

export interface ReadRequest extends EngineRequest {
  readonly targets: readonly string[];
  readonly maxTokens: number;
  /** A commit, branch or tag: read the files as they are there. */
  readonly at?: string | undefined;
}

export interface ReadPart {
  readonly target: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** In a document, the place as `read_context` takes it: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  readonly totalLines: number;
  readonly lines: readonly string[];
  /** Enclosing definitions, outermost first: "class Session (12-240)". */
  readonly enclosing: readonly string[];
  readonly symbol: string;
  /** Other definitions that the target could mean, the likelier first. */
  readonly others: readonly { readonly path: string; readonly startLine: number }[];
  readonly changed: boolean;
  /** First line that the token budget left out. */
  readonly truncatedAt: number | undefined;
  /** Names in its lines that the code no longer has; absent without any. */
  readonly outdated?: readonly OutdatedName[] | undefined;
}

export interface ReadResult {
  readonly namespace: string;
  readonly parts: readonly ReadPart[];
  /** One sentence for each target that could not be read. */
  readonly problems: readonly {
    readonly target: string;
    readonly code: ErrorCode;
    readonly detail: string;
    /** What `detail` says of a path that the index does not have. */
    readonly unknownPath?: PathProblem;
  }[];
}
