// The words of commits, as segments of the format that an index of files has, so that the same code scores them. A
// commit is a file with two chunks: its message, and the lines that it changed.

import { NO_REFERENCES } from "../../parse/references/references.ts";
import { IndexDamage } from "../damage.ts";
import { newSegmentName } from "../embedded/segment-name.ts";
import { FORMAT_VERSION } from "../embedded/segment/format.ts";
import { mergeSegments } from "../embedded/segment/merge.ts";
import type { FinishedSegment } from "../embedded/segment/segment-assembly.ts";
import { SegmentReader } from "../embedded/segment/segment-reader.ts";
import { SegmentWriter } from "../embedded/segment/segment-writer.ts";
import { IndexSnapshot } from "../embedded/snapshot.ts";
import type { Storage } from "../embedded/storage/storage.ts";
import { TrigramWriter } from "../embedded/trigrams/trigram-writer.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import { viewsOf } from "../scoring/scored-segments.ts";
import type { ChunkFacts } from "../types.ts";
import { idInPath, pathOfId } from "./commit-path.ts";

/** The searched parts of a commit. Its secrets are masked. */
export interface CommitDocument {
  /** Full id. */
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  /** The lines that it changed, without their marks. */
  readonly changedLines: readonly string[];
  /** Names of the files and definitions that it changed. */
  readonly names: readonly string[];
}

/** The list of segments and what they cover. */
interface Manifest {
  readonly version: number;
  /** Format of the segments. */
  readonly format: number;
  /** The commits of this one have been read; "" if none have. */
  readonly head: string;
  /** Whether those are all commits before it, within the limits. */
  readonly isWhole: boolean;
  readonly segments: readonly { readonly name: string; readonly gone: readonly number[] }[];
}

const MANIFEST = "commits.json";
const VERSION = 1;
const EMPTY: Manifest = {
  version: VERSION,
  format: FORMAT_VERSION,
  head: "",
  isWhole: false,
  segments: [],
};
/** Segments with fewer commits are merged when there are many of them: each update of a repository adds one. */
const SMALL_SEGMENT_COMMITS = 500;
const MAX_SMALL_SEGMENTS = 8;
/** Another process may replace segments between the read of the list and their opening. */
const ATTEMPTS = 2;
const NO_BYTES = Buffer.alloc(0);

interface OpenSegment {
  readonly reader: SegmentReader;
  readonly gone: readonly number[];
}

/** Adds and searches the commits of one source. One process at a time may add. */
export class CommitIndex {
  readonly #storage: Storage;
  readonly #trigrams = new TrigramWriter();
  #manifestText = "";
  #manifest = EMPTY;
  #segments: OpenSegment[] = [];
  #retired: SegmentReader[] = [];
  #ids: Set<string> | undefined;
  #snapshot: IndexSnapshot | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The newest commit of those that have been read; "" if none have. */
  get head(): string {
    return this.#manifest.head;
  }

  /** Whether all commits up to `head` have been read, within the limits. */
  get isWhole(): boolean {
    return this.#manifest.isWhole;
  }

  /** Size in bytes. */
  get sizeBytes(): number {
    return this.#segments.reduce((sum, { reader }) => sum + reader.directory.pageSums[0], 0);
  }

  /** The ids of all commits, also of those that are no longer searched. */
  get ids(): ReadonlySet<string> {
    this.#ids ??= new Set(this.#segments.flatMap(({ reader }) => idsOf(reader)));
    return this.#ids;
  }

  /** Opens what any process has stored last. Returns false, with nothing open, if that is damaged or of another format. */
  refresh(): boolean {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const text = this.#readManifest();
        if (text !== this.#manifestText) this.#open(parseManifest(text), text);
        return true;
      } catch (thrown) {
        if (!(thrown instanceof IndexDamage || thrown instanceof SyntaxError)) throw thrown;
        this.close();
      }
    }
    return false;
  }

  /** Drops everything, for a process that holds the lock. */
  clear(): void {
    this.close();
    for (const name of this.#storage.list()) this.#storage.remove(name);
  }

  /** Adds commits, which are none of `ids`. */
  add(documents: readonly CommitDocument[]): void {
    if (documents.length === 0) return;
    const writer = new SegmentWriter(this.#trigrams);
    for (const document of documents) addTo(writer, document);
    this.#replace([], writer.finish());
  }

  /** Records what has been read up to `head`. Only `reachable` commits are searched from now on. */
  finish(head: string, isWhole: boolean, reachable: ReadonlySet<string>): void {
    const segments = this.#segments.map(({ reader }) => ({
      name: reader.name,
      gone: idsOf(reader).flatMap((id, ordinal) => (reachable.has(id) ? [] : [ordinal])),
    }));
    this.#store({ ...this.#manifest, head, isWhole, segments });
    this.#mergeSmall();
    this.#removeUnlisted();
  }

  /** Begins a search with these distinct terms: see `findCandidates`. */
  begin(terms: readonly string[], isLate: () => boolean): CandidateShard {
    this.#snapshot ??= new IndexSnapshot(
      1,
      viewsOf(this.#segments.map((segment, id) => ({ id, ...withTombstones(segment) }))),
    );
    return this.#snapshot.scorer().begin(terms, isLate);
  }

  close(): void {
    for (const reader of [...this.#segments.map((one) => one.reader), ...this.#retired])
      reader.close();
    this.#segments = [];
    this.#retired = [];
    this.#manifest = EMPTY;
    this.#manifestText = "";
    this.#forget();
  }

  #forget(): void {
    this.#ids = undefined;
    this.#snapshot = undefined;
  }

  /** "" if nothing is stored yet. */
  #readManifest(): string {
    if (!this.#storage.list().includes(MANIFEST)) return "";
    const file = this.#storage.open(MANIFEST);
    try {
      return Buffer.from(file.read(0, file.sizeBytes)).toString();
    } finally {
      file.close();
    }
  }

  #open(manifest: Manifest, text: string): void {
    const known = new Map(this.#segments.map(({ reader }) => [reader.name, reader]));
    const segments: OpenSegment[] = [];
    try {
      for (const { name, gone } of manifest.segments) {
        const reader = known.get(name) ?? new SegmentReader(this.#storage.open(name), name);
        segments.push({ reader, gone });
      }
    } finally {
      // Also those that were opened before one failed, so that `clear` closes them.
      for (const { reader } of segments) known.delete(reader.name);
      // A search that began before may still read from those that were replaced now, but not from earlier ones.
      if (known.size > 0) {
        for (const reader of this.#retired) reader.close();
        this.#retired = [...known.values()];
      }
      this.#segments = segments;
      this.#forget();
    }
    this.#manifest = manifest;
    this.#manifestText = text;
  }

  #store(manifest: Manifest): void {
    const text = JSON.stringify(manifest);
    this.#storage.write(MANIFEST, [Buffer.from(text)]);
    this.#open(manifest, text);
  }

  /** Writes a segment in place of others. */
  #replace(old: readonly SegmentReader[], { parts }: FinishedSegment): void {
    const name = newSegmentName({ shard: 0, of: 1 });
    this.#storage.write(name, parts);
    const names = new Set(old.map((reader) => reader.name));
    const kept = this.#manifest.segments.filter((one) => !names.has(one.name));
    this.#store({ ...this.#manifest, segments: [...kept, { name, gone: [] }] });
  }

  #mergeSmall(): void {
    const small = this.#segments.filter(({ reader }) => reader.files < SMALL_SEGMENT_COMMITS);
    if (small.length <= MAX_SMALL_SEGMENTS) return;
    const merged = mergeSegments(small.map(withTombstones), "");
    this.#replace(
      small.map(({ reader }) => reader),
      merged,
    );
  }

  #removeUnlisted(): void {
    const listed = new Set(["", MANIFEST, ...this.#manifest.segments.map(({ name }) => name)]);
    for (const name of this.#storage.list()) if (!listed.has(name)) this.#storage.remove(name);
  }
}

function withTombstones({ reader, gone }: OpenSegment): {
  readonly reader: SegmentReader;
  readonly tombstones: Uint8Array;
} {
  const tombstones = new Uint8Array(reader.files);
  for (const ordinal of gone) tombstones[ordinal] = 1;
  return { reader, tombstones };
}

function idsOf(reader: SegmentReader): readonly string[] {
  return Array.from({ length: reader.files }, (_, ordinal) => idInPath(reader.path(ordinal)));
}

/** Throws SyntaxError, and IndexDamage for another format. */
function parseManifest(text: string): Manifest {
  if (text === "") return EMPTY;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its version is checked; damage shows in segments
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.version !== VERSION || manifest.format !== FORMAT_VERSION)
    throw new IndexDamage("The words of the commits have another format.");
  return manifest;
}

function addTo(
  writer: SegmentWriter,
  { id, subject, body, changedLines, names }: CommitDocument,
): void {
  const message = [subject, ...body.split("\n")].map(oneLine);
  const changes = changedLines.map(oneLine);
  const base = { kind: "text", symbol: "" } as const;
  const end = message.length;
  const chunks: ChunkFacts[] = [{ ...base, startLine: 1, endLine: end, names: [subject] }];
  if (changes.length > 0)
    chunks.push({ ...base, startLine: end + 1, endLine: end + changes.length, names });
  writer.add({
    path: pathOfId(id),
    language: "",
    role: "code",
    flags: 0,
    // Only words are searched, so there is no text for trigrams.
    bytes: NO_BYTES,
    maskedBytes: Buffer.from(`${[...message, ...changes].join("\n")}\n`),
    chunks,
    symbols: [],
    references: NO_REFERENCES,
    isFinal: false,
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/[\n\r]+/g, " ");
}
