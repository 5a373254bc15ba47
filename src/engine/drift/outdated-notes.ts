// Notes on results whose text mentions names that the code no longer has. They come from the last answer about the
// whole documentation (find-drift.ts), or its renewal (notes-renewal.ts): a question only looks them up.

import {
  loadOutdated,
  type OutdatedStatement,
  type OutdatedStatements,
} from "../../index/commits/outdated-store.ts";
import type { OpenCommitStorage } from "../../index/commits/port.ts";
import type { IndexReader } from "../../index/port.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { OutdatedName } from "../api/outdated.ts";
import type { OpenIndex } from "../open-indexes.ts";
import { CurrentNames } from "./current-names.ts";

/** Another process may have found others, or HEAD may have moved. */
const MAX_AGE_MS = 5000;

/** Part of a result. */
export interface NotedPart {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Whether the file has changed since it was indexed. */
  readonly changed: boolean;
}

/** An index, and its texts. That of a commit has other pages. */
interface NotesContext extends OpenIndex {
  readonly texts: TextReader;
}

/** Makes what is stored current if it is not. */
interface Renewal {
  readonly startIfMoved: (
    context: NotesContext,
    stored: OutdatedStatements,
    onEnd: () => void,
  ) => void;
}

interface Loaded {
  readonly atMs: number;
  readonly index: string;
  readonly byPath: ReadonlyMap<string, readonly OutdatedStatement[]>;
}

/** What is known of one version of the index. */
interface Checked {
  readonly index: string;
  readonly isThere: Map<string, Promise<boolean>>;
}

export class OutdatedNotes {
  readonly #open: OpenCommitStorage;
  readonly #renewal: Renewal | undefined;
  /** By namespace, as `Checked`. */
  readonly #loaded = new Map<string, Loaded>();
  readonly #checked = new Map<string, Checked>();

  /** Without a renewal, findings stay as they are until someone asks for them again. */
  constructor(open: OpenCommitStorage, renewal: Renewal | undefined) {
    this.#open = open;
    this.#renewal = renewal;
  }

  /** Returns the parts with what no longer fits in their lines. */
  async added<Part extends NotedPart>(
    context: NotesContext,
    parts: readonly Part[],
  ): Promise<readonly (Part & { readonly outdated?: readonly OutdatedName[] })[]> {
    if (context.revision !== undefined) return parts;
    const loaded = this.#of(context);
    if (loaded.byPath.size === 0) return parts;
    return Promise.all(
      parts.map(async (part) => {
        const all = loaded.byPath.get(part.path) ?? [];
        const statements = all.filter(({ line }) => isIn(part, line));
        if (part.changed || statements.length === 0) return part;
        const outdated = await this.#stillOutdated(context, statements, loaded.index);
        return outdated.length === 0 ? part : { ...part, outdated };
      }),
    );
  }

  #of(context: NotesContext): Loaded {
    const { namespace } = context;
    const known = this.#loaded.get(namespace);
    const atMs = performance.now();
    if (known !== undefined && atMs - known.atMs < MAX_AGE_MS) return known;
    const stored = loadOutdated(this.#open, namespace);
    const { index, statements } = stored;
    const loaded = { atMs, index, byPath: Map.groupBy(statements, ({ path }) => path) };
    this.#renewal?.startIfMoved(context, stored, () => this.#loaded.delete(namespace));
    this.#loaded.set(namespace, loaded);
    return loaded;
  }

  /** The statements of a page that is as it was, about what the code still does not have. */
  async #stillOutdated(
    context: NotesContext,
    statements: readonly OutdatedStatement[],
    index: string,
  ): Promise<readonly OutdatedName[]> {
    const outdated: OutdatedName[] = [];
    for (const { path, hash, words, ...statement } of statements) {
      /* oxlint-disable no-await-in-loop -- few */
      if ((await context.reader.file(path))?.hash !== hash) continue;
      const isSame = versionText(context.reader) === index;
      if (!isSame && (await this.#isThere(context, statement.name, words))) continue;
      /* oxlint-enable no-await-in-loop */
      outdated.push(statement);
    }
    return outdated;
  }

  /** Whether another version of the index has the thing again; found out once for each version. */
  #isThere(context: NotesContext, name: string, words: readonly string[]): Promise<boolean> {
    const { namespace, reader, texts } = context;
    const index = versionText(reader);
    let checked = this.#checked.get(namespace);
    if (checked?.index !== index) checked = { index, isThere: new Map() };
    this.#checked.set(namespace, checked);
    const known = checked.isThere.get(name);
    if (known !== undefined) return known;
    const isThere =
      words.length > 0 ? new CurrentNames(reader, texts).has(words) : hasPath(reader, name);
    checked.isThere.set(name, isThere);
    // A question that was cancelled has found out nothing.
    isThere.catch(() => checked.isThere.delete(name));
    return isThere;
  }
}

export function versionText({ version: { epoch, at } }: Pick<IndexReader, "version">): string {
  return `${epoch} ${at}`;
}

function isIn({ startLine, endLine }: NotedPart, line: number): boolean {
  return startLine <= line && line <= endLine;
}

async function hasPath(reader: Pick<IndexReader, "fileTree">, path: string): Promise<boolean> {
  const tree = await reader.fileTree();
  return tree.has(path) || tree.filesIn(path).length + tree.foldersIn(path).length > 0;
}
