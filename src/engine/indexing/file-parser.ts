// Reads one file after the other and produces its index entry, in the indexing thread or in a parsing thread.

import type * as chunking from "../../chunk/chunk.ts";
import { encodeReferences } from "../../index/references/encoded-references.ts";
import { symbolFacts } from "../../index/symbol-facts.ts";
import type { EncodedFileInput, FileInput, FileState } from "../../index/types.ts";
import type { ParseProblem } from "../../parse/parse-problems.ts";
import type { Grammars } from "../../parse/syntax.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import type { SourceRoot } from "../../sources/source-root.ts";
import type { MonitoredFile } from "../monitors/matcher.ts";
import { ContentHasher } from "./content-hashes.ts";
import { ContentReader } from "./content-reader.ts";
import { indexEntry, type FileTimes } from "./index-entry.ts";
import type { FoundFile } from "./source-scan.ts";

/** A file to read. */
export interface FileTask extends Omit<FileTimes, "indexedMs"> {
  /** Id of its source. */
  readonly source: number;
  /** Path in the namespace. */
  readonly path: string;
  readonly pathInSource: string;
  /** With this hash, the index has the content already; undefined if the file is parsed in any case. */
  readonly unchangedHash: string | undefined;
  /** Only compares the content with `unchangedHash`, and parses nothing. */
  readonly isCompared?: true;
}

/** `unchangedHash`: see `FileTask`. */
export function fileTask(
  { source, path, record }: FoundFile,
  unchangedHash: string | undefined,
): FileTask {
  const { path: pathInSource, sizeBytes: size, mtimeMs, inode } = record;
  return { source: source.id, path, pathInSource, size, mtimeMs, inode, unchangedHash };
}

/** What the index stores of a file. Its bytes are valid until the next file is parsed; see `detached`. */
export interface ParsedFile {
  readonly state: FileState;
  readonly content: FileInput | EncodedFileInput;
  /** As stored, before decoding; undefined if nobody needs them. */
  readonly rawBytes: Buffer | undefined;
  readonly problem: ParseProblem | undefined;
  /** See `IndexEntry`. */
  readonly fingerprints: Uint8Array | undefined;
  /** Undefined for a file that another thread has parsed. */
  readonly monitored: MonitoredFile | undefined;
}

export type FileResult = {
  /** Time of reading in milliseconds since 1970. */
  readonly indexedMs: number;
} & (
  | { readonly skip: SkipReason }
  | { readonly isUnchanged: true }
  /** A compared file has other content, or cannot be read. */
  | { readonly isOther: true }
  | { readonly parsed: ParsedFile }
);

interface Library {
  readonly chunking: typeof chunking;
  readonly grammars: Grammars | undefined;
}

export class FileParser {
  readonly #sources: ReadonlyMap<number, SourceRoot>;
  readonly #loadGrammars: (() => Promise<Grammars>) | undefined;
  readonly #content = new ContentReader(MAX_INDEXED_BYTES);
  #hasher: ContentHasher | undefined;
  #library: Library | undefined;

  /** `sources`: by id. Without `grammars`, files are cut by line patterns. */
  constructor(sources: ReadonlyMap<number, SourceRoot>, grammars?: () => Promise<Grammars>) {
    this.#sources = sources;
    this.#loadGrammars = grammars;
  }

  /** Whether a grammar has failed in such a way that this thread can parse nothing more. */
  get isBroken(): boolean {
    return this.#library?.grammars?.isBroken() === true;
  }

  async parse(task: FileTask): Promise<FileResult> {
    const { source, path, pathInSource, size, mtimeMs, inode } = task;
    const indexedMs = Date.now();
    const root = this.#sources.get(source);
    if (root === undefined) throw new RangeError(`no source ${source}`);
    if (task.isCompared === true) return { ...this.#compare(root, task), indexedMs };
    const content = this.#content.read(root, pathInSource);
    if ("skip" in content) return { skip: content.skip, indexedMs };
    if (content.hash === task.unchangedHash) return { isUnchanged: true, indexedMs };
    this.#library ??= await this.#load();
    const times = { size, mtimeMs, inode, indexedMs };
    const file = { source, path, pathInSource, ...content, times };
    const entry = indexEntry(file, this.#library.chunking, this.#library.grammars);
    const { chunked } = entry;
    const monitored = { path, text: content.text, chunked };
    const { rawBytes } = content;
    return { parsed: { ...entry, rawBytes, problem: chunked.problem, monitored }, indexedMs };
  }

  #compare(
    root: SourceRoot,
    { pathInSource, size, unchangedHash }: FileTask,
  ): { readonly isUnchanged: true } | { readonly isOther: true } {
    this.#hasher ??= new ContentHasher();
    const hash = this.#hasher.hashOf(root, pathInSource, size);
    return hash !== undefined && hash === unchangedHash ? { isUnchanged: true } : { isOther: true };
  }

  /** With the first file that has other content than the index: most runs have none. */
  async #load(): Promise<Library> {
    return {
      chunking: await import("../../chunk/chunk.ts"),
      grammars: await this.#loadGrammars?.(),
    };
  }
}

/**
 * Returns a result with bytes of its own, which can be sent to another thread. It cannot be matched with monitors.
 * `keepsRawBytes`: whether the bytes as stored are needed.
 */
export function detached(result: FileResult, keepsRawBytes: boolean): FileResult {
  if (!("parsed" in result)) return result;
  const { state, content, rawBytes, problem, fingerprints } = result.parsed;
  const { bytes, maskedBytes, symbols, references } = content;
  return {
    indexedMs: result.indexedMs,
    parsed: {
      state,
      content: {
        ...content,
        bytes: copyOf(bytes),
        maskedBytes: maskedBytes && copyOf(maskedBytes),
        symbols: symbols.map(symbolFacts),
        references: "block" in references ? references : encodeReferences(references),
      },
      rawBytes: keepsRawBytes && rawBytes !== undefined ? copyOf(rawBytes) : undefined,
      problem,
      fingerprints,
      monitored: undefined,
    },
  };
}

/** Returns the buffers of a detached result, which can be transferred. */
export function buffersOf(result: FileResult): readonly ArrayBuffer[] {
  if (!("parsed" in result)) return [];
  const { content, rawBytes } = result.parsed;
  const { bytes, maskedBytes, references } = content;
  const block = "block" in references ? references.block : undefined;
  return [bytes, maskedBytes, block, rawBytes].flatMap((part) =>
    part?.buffer instanceof ArrayBuffer ? [part.buffer] : [],
  );
}

function copyOf(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(bytes).buffer);
}
