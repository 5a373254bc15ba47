// What is compared: a program with its ways to index, to be asked at a shell, and to be asked as a server.
import type { CorpusPaths } from "../../quality/corpus-paths.ts";
import type { Environment } from "../../workspace.ts";

/** Where one tool works on one corpus; nobody else does. */
export interface Spot {
  /** A copy of the corpus. */
  readonly root: string;
  /** A folder for what the tool keeps, outside of the copy. */
  readonly state: string;
  readonly env: Environment;
  readonly paths: CorpusPaths;
}

export interface Contender {
  readonly name: string;
  readonly version: string;
  /** In what form it gets a question, for the page. */
  readonly form: string;
  /** Makes the index from nothing; undefined where there is none. */
  readonly index?: (spot: Spot) => readonly string[];
  /** What the index consists of: a file or a folder. */
  readonly keeps?: (spot: Spot) => string;
  /** Prints an answer at a shell. */
  readonly ask: (query: string, spot: Spot) => readonly string[];
  /** The files that an answer names, the best first; one may come several times. */
  readonly filesIn: (output: string, query: string, spot: Spot) => readonly string[];
  /** The same as an MCP server; undefined where it cannot. */
  readonly server?: {
    readonly start: (spot: Spot) => readonly string[];
    readonly tool: string;
    readonly input: (query: string, limit: number) => Readonly<Record<string, unknown>>;
  };
}

/** How many results a tool is asked for, where it can be told. */
export const LIMIT = 10;
