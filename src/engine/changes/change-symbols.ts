// What is known today of the symbols that changed: where they are, and who uses them.

import type { IndexReader, SymbolHit } from "../../index/backend.ts";
import type { SymbolFacts } from "../../index/segment/outline.ts";
import type { SymbolChange } from "../../index/journal/symbol-diff.ts";
import type { Source } from "../../sources/registry.ts";
import type { FoundSymbolChange } from "./changes.ts";
import { shortSignature } from "../symbols/short-signature.ts";
import { SourceLines, type SourceFile } from "../files/source-lines.ts";
import { symbolLines } from "../symbols/symbol-lines.ts";

/** The places that use a definition, whatever is known of it. */
export type UsersOf = (symbol: SymbolHit) => Promise<readonly UsingPlace[]>;

interface UsingPlace {
  readonly path: string;
  readonly line: number;
  readonly owner: { readonly qualifiedName: string } | undefined;
}

interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly users: UsersOf;
}

/** Of one answer: beyond, symbols are named and no more. */
const MOST_SIGNATURES = 100;
const MOST_ASKED = 30;
const ASKING_MS = 1500;
const SHOWN_USERS = 3;

/** Describes the symbols of one answer, within bounds that hold for all of it. */
export class SymbolsOfChanges {
  readonly #sight: Sight;
  readonly #signal: AbortSignal;
  readonly #files: SourceLines;
  readonly #until = performance.now() + ASKING_MS;
  #signatures = 0;
  #asked = 0;

  constructor(sight: Sight, signal: AbortSignal) {
    this.#sight = sight;
    this.#signal = signal;
    this.#files = new SourceLines(sight.reader, sight.sources);
  }

  async describe(
    path: string,
    changes: readonly SymbolChange[],
  ): Promise<readonly FoundSymbolChange[]> {
    if (changes.length === 0) return [];
    const language = (await this.#sight.reader.file(path))?.language;
    const file = language === undefined ? undefined : await this.#read(path, language);
    const described: FoundSymbolChange[] = [];
    const seen = new Map<string, number>();
    for (const change of changes) {
      const key = `${change.kind} ${change.name}`;
      const number = seen.get(key) ?? 0;
      seen.set(key, number + 1);
      const facts = change.change === "removed" ? undefined : find(file, change, number);
      const users = await this.#usersOf(path, change, facts);
      described.push({
        ...change,
        line: facts?.nameLine,
        signature: facts === undefined ? "" : this.#signature(file, facts, language ?? ""),
        users: users?.length,
        usedBy: (users ?? []).slice(0, SHOWN_USERS).map(placeText),
      });
    }
    return described;
  }

  async #read(path: string, language: string): Promise<SourceFile | undefined> {
    return this.#signatures < MOST_SIGNATURES ? this.#files.read(path, language) : undefined;
  }

  #signature(file: SourceFile | undefined, facts: SymbolFacts, language: string): string {
    if (file === undefined || this.#signatures >= MOST_SIGNATURES) return "";
    this.#signatures += 1;
    const { signature } = symbolLines(file.lines, facts, language);
    return shortSignature({ kind: facts.kind, signature });
  }

  /** Undefined where it is not asked for: new symbols have few users, sections none. */
  async #usersOf(
    path: string,
    { change, kind, name }: SymbolChange,
    facts: SymbolFacts | undefined,
  ): Promise<readonly UsingPlace[] | undefined> {
    if (change === "added" || kind === "section" || this.#signal.aborted) return undefined;
    if (this.#asked >= MOST_ASKED || performance.now() > this.#until) return undefined;
    this.#asked += 1;
    if (facts !== undefined) return this.#sight.users({ ...facts, path });
    if (change !== "removed") return undefined;
    // Whoever still uses the name of one that is gone.
    const last = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
    const files = await this.#sight.reader.usesOf(last);
    return files.flatMap(({ path: user, uses }) =>
      uses.map(({ line }) => ({ path: user, line, owner: undefined })),
    );
  }
}

/** Of several with one name the one that stands in the same place among them. */
function find(
  file: SourceFile | undefined,
  { name, kind }: SymbolChange,
  number: number,
): SymbolFacts | undefined {
  const alike = file?.symbols.filter((one) => one.qualifiedName === name && one.kind === kind);
  return alike?.[number] ?? alike?.[0];
}

/** `src/session.ts:12 in Session.open` */
function placeText({ path, line, owner }: UsingPlace): string {
  return owner === undefined ? `${path}:${line}` : `${path}:${line} in ${owner.qualifiedName}`;
}
