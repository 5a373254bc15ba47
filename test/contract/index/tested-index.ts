import { expect } from "vitest";

import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import type {
  IndexBackend,
  IndexReader,
  IndexVersion,
  IndexWriter,
  ReadOptions,
  WriteOptions,
} from "../../../src/index/port.ts";
import type { FileInput, FileState } from "../../../src/index/types.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";

/** A backend, as two processes have it. */
export interface TestedBackends {
  readonly one: IndexBackend;
  readonly other: IndexBackend;
  /** Takes the lock of NAMESPACE from its writer, which does not notice. */
  readonly revokeWriter: () => unknown;
  /** Returns the inconsistencies in what the backend stores of NAMESPACE. */
  readonly problems: () => Promise<readonly string[]>;
}

export type MakeBackends = () => TestedBackends;

export const NAMESPACE = "n";
/** With this many bytes, the content of a file is stored in another place than that of a small one. */
export const LARGE = 300_000;

export interface TestedIndex extends TestedBackends {
  /** Runs `change` with a writer of the first process, and closes it. */
  readonly write: <T>(
    change: (writer: IndexWriter) => Promise<T>,
    options?: Partial<WriteOptions>,
  ) => Promise<T>;
  /** Commits files of `plainFile` by path, given the name of the function in each. */
  readonly commit: (
    files: Readonly<Record<string, string>>,
    ballast?: number,
  ) => Promise<IndexVersion>;
  /** A reader of the other process. */
  readonly read: (options?: ReadOptions) => Promise<IndexReader>;
  /** Path -> name of its function, found through names, words and symbols. Throws on any inconsistency. */
  readonly picture: () => Promise<Readonly<Record<string, string>>>;
}

/** An index without any content. */
export function testedIndex(make: MakeBackends): TestedIndex {
  const tested = make();
  const write: TestedIndex["write"] = async (change, options = {}) => {
    const writer = await openWriter(tested.one, options);
    try {
      return await change(writer);
    } finally {
      await writer.close();
    }
  };
  const read = async (options?: ReadOptions): Promise<IndexReader> => {
    const reader = await tested.other.reader(authorized(NAMESPACE), options);
    if (reader === undefined) throw new Error("nothing is written yet");
    return reader;
  };
  return {
    ...tested,
    write,
    read,
    commit: (files, ballast) =>
      write((writer) => {
        addPlain(writer, files, ballast);
        return writer.commit();
      }),
    picture: async () => {
      expect(await tested.problems()).toEqual([]);
      return pictureOf(await read());
    },
  };
}

export async function openWriter(
  backend: IndexBackend,
  options: Partial<WriteOptions> = {},
): Promise<IndexWriter> {
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, ...options });
  if (writer === undefined) throw new Error("another is writing");
  return writer;
}

async function pictureOf(reader: IndexReader): Promise<Readonly<Record<string, string>>> {
  const picture: Record<string, string> = {};
  for await (const { path } of reader.textCandidates({ kind: "all" }, {})) {
    const [symbol] = await reader.symbolsOf(path);
    if (symbol === undefined) continue;
    picture[path] = symbol.name;
    const named = await reader.symbolsNamed(symbol.name, 1000);
    expect(named.map((hit) => hit.path)).toContain(path);
    expect(await pathsWith(reader, symbol.name.toLowerCase())).toContain(path);
  }
  return picture;
}

/** A file of `plainFile` with these parts of its content and its row. */
export function fileWith(
  path: string,
  content: Partial<FileInput> & { readonly text?: string },
  state: Partial<FileState> = {},
): { readonly state: FileState; readonly content: FileInput } {
  const plain = plainFile(path, "plain");
  const { text = "plain text\n", ...parts } = content;
  const bytes = Buffer.from(text);
  const endLine = text.replace(/\n$/, "").split("\n").length;
  const chunk = { startLine: 1, endLine, kind: "text", symbol: "", names: [] } as const;
  const entry = {
    ...plain.content,
    bytes,
    chunks: [chunk],
    symbols: [],
    references: NO_REFERENCES,
    ...parts,
  };
  const { language, role, flags, chunks, symbols } = entry;
  const facts = { language, role, flags, chunks: chunks.length, symbols: symbols.length };
  return { state: { ...plain.state, ...facts, size: bytes.length, ...state }, content: entry };
}

/** Adds files of `fileWith`. */
export function addAll(writer: IndexWriter, files: readonly ReturnType<typeof fileWith>[]): void {
  for (const { state, content } of files) writer.add(state, content);
}
