import type { EngineRequest } from "./request.ts";
import type { OutlineSymbol } from "./outline.ts";
import type { UseRole } from "../../parse/references/references.ts";
import type { ChunkKind, Role } from "../../index/types.ts";

export interface FolderRequest extends EngineRequest {
  /** Path of a folder; "" for the root. */
  readonly path: string;
}

export interface ListedFile {
  readonly name: string;
  /** "" if unknown. */
  readonly language: string;
  readonly kind: Role;
  readonly bytes: number;
  /** Why its content is not indexed; "" if it is, or will be. */
  readonly skipped: string;
}

export interface FolderListing {
  readonly namespace: string;
  readonly generation: number;
  readonly path: string;
  /** Names of the folders directly in it, in order. */
  readonly folders: readonly string[];
  /** The files directly in it, in order. */
  readonly files: readonly ListedFile[];
}

export interface FileRequest extends EngineRequest {
  readonly path: string;
  /** Id of a commit, or its beginning: the file as it is there. */
  readonly commit?: string | undefined;
}

export interface FileText {
  readonly namespace: string;
  readonly generation: number;
  readonly path: string;
  /** "" when unknown. */
  readonly language: string;
  readonly kind: Role;
  readonly bytes: number;
  /** Number of lines. */
  readonly lines: number;
  /** The current text with `\n` between lines, its secrets masked; "" for a binary file. */
  readonly text: string;
  readonly isBinary: boolean;
  /** Identifies this text: the colors of the file have the same one while it is unchanged. */
  readonly version: string;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
  /** In order of lines, enclosing symbols before nested ones. */
  readonly symbols: readonly OutlineSymbol[];
  /** Absolute path of a file in a folder of this machine; "" for a repository that svc fetched. */
  readonly localPath: string;
  /**
   * Id of the commit of the request; without one, of that which svc fetched, or of HEAD in a folder of this machine. "" without
   * a repository.
   */
  readonly commit: string;
  /** True when the text is that of the commit of the request, and the present one is another. */
  readonly isPast: boolean;
}

export interface FileColors {
  readonly namespace: string;
  /** As in `FileText`. */
  readonly version: string;
  readonly kinds: readonly string[];
  /**
   * Three numbers for each colored piece, in order: its distance from the end of the previous one, its length, both in
   * UTF-16 code units, and its index in `kinds`. Undefined if no grammar can parse the file.
   */
  readonly pieces: readonly number[] | undefined;
}

export interface NameRequest extends EngineRequest {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** A definition that a name refers to. Lines are 1-based and inclusive. */
export interface NamedDefinition {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  /** One line of up to 200 characters. */
  readonly signature: string;
  /** Its documentation without the markers of comments, up to 40 lines; "" when there is none. */
  readonly comment: string;
  /** "exact": resolved through imports, scopes and types, or the definition itself. "name": only the names are equal. */
  readonly certainty: "exact" | "name";
}

export interface NameResult {
  readonly namespace: string;
  readonly generation: number;
  /** The name at the position; "" when there is none. */
  readonly name: string;
  /** 1-based column of its first character; 0 when there is none. */
  readonly column: number;
  /** What the name does there; "" when that is unknown, and "definition" for a definition itself. */
  readonly role: UseRole | "definition" | "";
  /** Best first; empty when the name is not one of the project. */
  readonly definitions: readonly NamedDefinition[];
}
