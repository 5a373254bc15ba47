// The facts of compilers about the files of an index, for one run: adds them to files whose content the compiler has
// read, and records which files have changed since.

import { addFacts } from "../../index/compiler-facts/add-facts.ts";
import { decodeCompilerFacts } from "../../index/compiler-facts/compiler-facts.ts";
import {
  COMPILER_NOTE,
  decodeManifest,
  decodeNote,
  encodeNote,
  type CompilerNote,
  type Manifest,
} from "../../index/compiler-facts/manifest.ts";
import type { IndexWriter } from "../../index/port.ts";
import { readReferences } from "../../index/references/reference-block.ts";
import type { EncodedFileInput, FileInput, FileState } from "../../index/types.ts";
import type { TextArchive } from "../../sources/text/port.ts";

/** The facts that a run takes into use, instead of those of the index. */
export interface NewFacts {
  /** The hash under which their manifest is kept; "" for none. */
  readonly manifest: string;
  /** Names and versions of the indexers. */
  readonly tools: readonly string[];
}

type Content = FileInput | EncodedFileInput;

export class KnownFacts {
  readonly #writer: Pick<IndexWriter, "setNote">;
  readonly #archive: TextArchive;
  readonly #manifest: Manifest;
  readonly #note: Omit<CompilerNote, "stale">;
  readonly #stale: Set<string>;
  #hasChanged: boolean;
  /** Files to read also if they have not changed: their facts are new, or no longer there. */
  readonly rereads: ReadonlySet<string>;

  private constructor(
    {
      writer,
      archive,
      manifest,
      note,
    }: {
      readonly writer: Pick<IndexWriter, "setNote">;
      readonly archive: TextArchive;
      readonly manifest: Manifest;
      readonly note: CompilerNote;
    },
    rereads: ReadonlySet<string>,
  ) {
    this.#writer = writer;
    this.#archive = archive;
    this.#manifest = manifest;
    this.#note = note;
    this.#stale = new Set(note.stale);
    this.#hasChanged = rereads.size > 0;
    this.rereads = rereads;
  }

  /** Returns the facts of an index, or the new ones; undefined if there are none. */
  static async open(
    writer: Pick<IndexWriter, "note" | "setNote">,
    archive: TextArchive,
    added: NewFacts | undefined,
  ): Promise<KnownFacts | undefined> {
    const before = decodeNote(writer.note(COMPILER_NOTE));
    if (before === undefined && added === undefined) return undefined;
    const old = await manifestOf(archive, before?.manifest);
    if (added === undefined) {
      const note = before ?? { manifest: "", tools: [], files: 0, stale: [] };
      return new KnownFacts({ writer, archive, manifest: old, note }, new Set());
    }
    const manifest = await manifestOf(archive, added.manifest);
    const paths = [...old.keys(), ...manifest.keys()];
    const rereads = new Set(
      paths.filter((path) => old.get(path)?.facts !== manifest.get(path)?.facts),
    );
    // Until a file is read, its facts are not in use.
    const unused = new Set([...rereads, ...(before?.stale ?? [])]);
    const stale = [...manifest.keys()].filter((path) => unused.has(path));
    const note = { ...added, files: manifest.size, stale };
    return new KnownFacts({ writer, archive, manifest, note }, rereads);
  }

  /** Returns the content of a file with its facts, if the compiler has read the same. */
  async added(state: FileState, content: Content): Promise<Content> {
    const { path, hash, stage } = state;
    const entry = this.#manifest.get(path);
    if (entry === undefined || stage !== "complete") return content;
    const bytes = entry.hash === hash ? await this.#archive.find(entry.facts) : undefined;
    const facts = bytes && decodeCompilerFacts(bytes);
    this.#setStale(path, facts === undefined);
    if (facts === undefined) return content;
    const { symbols, references } = content;
    const parsed = "block" in references ? readReferences(references.block) : references;
    return { ...content, ...addFacts({ path, symbols, references: parsed }, facts) };
  }

  /** Records that a file has no content any more. */
  remove(path: string): void {
    if (this.#manifest.has(path)) this.#setStale(path, true);
  }

  /** Passes the note to the writer, if it has changed. Call it before each commit. */
  record(): void {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const { manifest } = this.#note;
    const note = { ...this.#note, stale: [...this.#stale].toSorted() };
    this.#writer.setNote(COMPILER_NOTE, manifest === "" ? "" : encodeNote(note));
  }

  /** The hashes of everything that is kept for them. */
  keptHashes(): readonly string[] {
    const { manifest } = this.#note;
    return [manifest, ...[...this.#manifest.values()].map(({ facts }) => facts)];
  }

  #setStale(path: string, isStale: boolean): void {
    if (this.#stale.has(path) === isStale) return;
    if (isStale) this.#stale.add(path);
    else this.#stale.delete(path);
    this.#hasChanged = true;
  }
}

async function manifestOf(archive: TextArchive, hash: string | undefined): Promise<Manifest> {
  if (hash === undefined || hash === "") return new Map();
  const bytes = await archive.find(hash);
  return (bytes && decodeManifest(bytes)) ?? new Map();
}
