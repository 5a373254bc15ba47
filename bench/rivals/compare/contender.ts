// A contender: a program with its ways to index, to answer at a shell, and to answer as a server.
import type { CorpusPaths } from "../../quality/corpus-paths.ts";
import type { Environment } from "../../workspace.ts";

/** The folder of one tool for one corpus; no other uses it. */
export interface Spot {
  /** A copy of the corpus. */
  readonly root: string;
  /** A folder for the tool's data, outside the copy. */
  readonly state: string;
  readonly env: Environment;
  readonly paths: CorpusPaths;
}

export interface Contender {
  readonly name: string;
  readonly version: string;
  /** The form of its query, for the page. */
  readonly form: string;
  /** Makes the index from nothing; undefined if there is none. */
  readonly index?: (spot: Spot) => readonly string[];
  /** The index: a file or a folder. */
  readonly keeps?: (spot: Spot) => string;
  /** Prints an answer at a shell. */
  readonly ask: (query: string, spot: Spot) => readonly string[];
  /** The files that an answer names, the best first; a file may occur several times. */
  readonly filesIn: (output: string, query: string, spot: Spot) => readonly string[];
  /** The same as an MCP server; undefined if it has none. */
  readonly server?: {
    readonly start: (spot: Spot) => readonly string[];
    readonly tool: string;
    readonly input: (query: string, limit: number) => Readonly<Record<string, unknown>>;
  };
}

/** The limit of results, for tools that accept one. */
export const LIMIT = 10;
