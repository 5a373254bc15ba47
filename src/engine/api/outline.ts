import type { IndexProgress } from "./index-report.ts";
import type { EngineRequest, RevisionLimits } from "./request.ts";
import type { ChunkKind } from "../../index/types.ts";
import type { AccessLevel } from "../../parse/languages/definition-rules.ts";

export interface OutlineRequest extends EngineRequest, RevisionLimits {
  /** Path of a file or a folder; everything that is indexed by default. */
  readonly path?: string | undefined;
  /** Maximum nesting of symbols in a file, or of folders in a folder; 1 is the outermost. */
  readonly depth?: number | undefined;
  readonly maxTokens: number;
  /** A question or keywords: the outline of a folder begins with what they are about. */
  readonly query?: string | undefined;
}

/** A definition in an outline. Lines are 1-based and inclusive. */
export interface OutlineSymbol {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  /** One line of up to 200 characters. */
  readonly signature: string;
  readonly startLine: number;
  readonly endLine: number;
  /** In a document, the place as `read_context` takes it: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  /** Number of enclosing symbols. */
  readonly depth: number;
}

export interface FileOutline {
  readonly kind: "file";
  readonly path: string;
  /** "" when unknown. */
  readonly language: string;
  readonly lines: number;
  readonly bytes: number;
  /** True when the file changed after it was indexed: the symbols are the current ones. */
  readonly changed: boolean;
  /** In order of lines, enclosing symbols before nested ones. */
  readonly symbols: readonly OutlineSymbol[];
  /** Number of symbols left out for lack of room. */
  readonly omitted: number;
}

export interface FolderOutline {
  readonly kind: "folder";
  /** "" for everything that is indexed. */
  readonly path: string;
  readonly files: number;
  /** The most frequent languages, by number of files, descending. */
  readonly languages: readonly string[];
  /** Its direct subfolders, the most important first. Its own files are in an entry with its own path. */
  readonly folders: readonly OutlineFolder[];
  /** Numbers of files and folders left out for lack of room. */
  readonly omitted: { readonly files: number; readonly folders: number };
}

export interface OutlineFolder {
  readonly path: string;
  /** Number of files below it, at any depth. */
  readonly files: number;
  readonly languages: readonly string[];
  /** The most important files below it, at any depth, most important first. */
  readonly shown: readonly OutlineFile[];
}

export interface OutlineFile {
  readonly path: string;
  readonly language: string;
  /** The symbols that others depend on most, the most important first. */
  readonly symbols: readonly OutlineSymbol[];
}

export interface OutlineResult {
  readonly namespace: string;
  readonly generation: number;
  readonly outline: FileOutline | FolderOutline;
  /** As in SearchResult. */
  readonly building: IndexProgress | undefined;
}
