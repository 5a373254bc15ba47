import type { DocumentText } from "../../base/documents/document.ts";
import { maskSecrets } from "../../base/mask-secrets.ts";
import type * as chunking from "../../chunk/chunk.ts";
import type { ChunkedFile } from "../../chunk/chunk.ts";
import { writeFingerprints } from "../../index/change-log/fingerprint-block.ts";
import type { FileInput, FileState } from "../../index/types.ts";
import { fingerprintsOf } from "../../parse/fingerprints.ts";
import { proseOfHtml } from "../../parse/sections/html-prose.ts";
import type { Grammars } from "../../parse/syntax.ts";
import { SECRET_FREE } from "../files/masked-texts.ts";
import { fileFacts } from "./file-facts.ts";

/** The fields that show whether a file changed since it was read. */
export type FileTimes = Pick<FileState, "size" | "mtimeMs" | "inode" | "indexedMs">;

/** A file that was read. */
export interface ReadFile {
  /** Id of its source. */
  readonly source: number;
  /** Path in the namespace. */
  readonly path: string;
  /** Path in its source. */
  readonly pathInSource: string;
  readonly text: string;
  /** The text in UTF-8. */
  readonly bytes: Buffer;
  /** See `FileState`. */
  readonly hash: string;
  readonly generated: boolean;
  /** What a document has besides its text. */
  readonly document?: DocumentText | undefined;
  readonly times: FileTimes;
}

/** A file in the form of the index. */
export interface IndexEntry {
  readonly state: FileState;
  readonly content: FileInput;
  /** What later versions of the file are compared with; undefined if its syntax is still missing. */
  readonly fingerprints: Uint8Array | undefined;
  readonly language: string | undefined;
  readonly chunked: ChunkedFile;
}

/** Cuts a file into the parts that are indexed: by its grammar, or without `grammars` by line patterns. */
export function indexEntry(
  { source, path, pathInSource, text, bytes, hash, generated, document, times }: ReadFile,
  { chunkFile, needsSyntax }: Pick<typeof chunking, "chunkFile" | "needsSyntax">,
  grammars: Grammars | undefined,
): IndexEntry {
  const { language, role, flags } = fileFacts(pathInSource, { text, generated });
  const file = { path, language, text, document };
  const isFinal = grammars !== undefined || !needsSyntax(file);
  // Secrets are masked for words, names and vectors. Only the trigrams of text search see them.
  const masked = maskSecrets(text);
  // In a documentation page, names of tags are not words.
  const words = language === "html" && role === "docs" ? proseOfHtml(masked) : masked;
  const maskedBytes = words === text ? undefined : Buffer.from(words);
  const chunked = chunkFile({ ...file, text: masked }, grammars);
  const { chunks, symbols, references } = chunked;
  const verdict = masked === text ? SECRET_FREE : 0;
  const facts = { path, language: language ?? "", role, flags: flags | verdict };
  const fingerprints = isFinal
    ? writeFingerprints(fingerprintsOf({ text, language, symbols }))
    : undefined;
  return {
    state: {
      ...facts,
      ...times,
      source,
      hash,
      stage: isFinal ? "complete" : "words",
      chunks: chunks.length,
      symbols: symbols.length,
      skipped: null,
    },
    content: { ...facts, bytes, maskedBytes, isFinal, chunks, symbols, references },
    fingerprints,
    language,
    chunked,
  };
}
