// Describes changed symbols from the current index: their lines, their signatures and their users.

import { documentPlace } from "../../base/documents/places.ts";
import { isValueKind } from "../../base/definition-kinds.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import type { SymbolChange } from "../../index/change-log/symbol-diff.ts";
import type { QueryContext } from "../query-context.ts";
import type { SymbolChangeItem } from "../api/changes.ts";
import { shortSignature } from "../symbols/short-signature.ts";
import { SourceLines, type SourceFileLines } from "../files/source-lines.ts";
import { symbolLines } from "../symbols/symbol-lines.ts";

/** Returns the places that use a definition. */
export type FindUsers = (symbol: SymbolHit) => Promise<readonly UsingPlace[]>;

interface UsingPlace {
  readonly path: string;
  readonly line: number;
  readonly owner: { readonly qualifiedName: string } | undefined;
}

interface ChangeDescriptionContext extends Pick<QueryContext, "reader" | "texts"> {
  readonly users: FindUsers;
}

/** Limits of one answer. Beyond them, a symbol has only its name. */
const MAX_SIGNATURES = 100;
const MAX_USER_QUERIES = 30;
const MAX_USER_QUERY_MS = 1500;
const MAX_SHOWN_USERS = 3;

/** Describes the symbols of one answer. The limits apply to the answer as a whole. */
export class ChangedSymbolDescriber {
  readonly #context: ChangeDescriptionContext;
  readonly #signal: AbortSignal;
  readonly #files: SourceLines;
  readonly #deadline = performance.now() + MAX_USER_QUERY_MS;
  #signatures = 0;
  #userQueries = 0;

  constructor(context: ChangeDescriptionContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#files = new SourceLines(context.reader, context.texts);
  }

  async describe(
    path: string,
    changes: readonly SymbolChange[],
  ): Promise<readonly SymbolChangeItem[]> {
    if (changes.length === 0) return [];
    const language = (await this.#context.reader.factsOf(path))?.language;
    const file = language === undefined ? undefined : await this.#read(path);
    const symbols = (await file?.symbols()) ?? [];
    const described: SymbolChangeItem[] = [];
    const numbers = new Map<string, number>();
    for (const change of changes) {
      const key = `${change.kind} ${change.name}`;
      const number = numbers.get(key) ?? 0;
      numbers.set(key, number + 1);
      const facts = change.change === "removed" ? undefined : find(symbols, change, number);
      const users = await this.#usersOf(path, change, facts);
      described.push({
        ...change,
        line: facts?.nameLine,
        place: facts && placeOfName(path, file, facts),
        signature: facts === undefined ? "" : this.#signature(file, facts, language ?? ""),
        users: users?.length,
        usedBy: (users ?? []).slice(0, MAX_SHOWN_USERS).map(placeText),
      });
    }
    return described;
  }

  async #read(path: string): Promise<SourceFileLines | undefined> {
    return this.#signatures < MAX_SIGNATURES ? this.#files.read(path) : undefined;
  }

  #signature(file: SourceFileLines | undefined, facts: SymbolFacts, language: string): string {
    if (file === undefined || this.#signatures >= MAX_SIGNATURES) return "";
    this.#signatures += 1;
    const { signature } = symbolLines(file.lines, facts, language);
    return shortSignature({ kind: facts.kind, signature });
  }

  /** Undefined when not searched: new symbols have few users, sections none, and the number of searches is limited. */
  async #usersOf(
    path: string,
    { change, kind, name }: SymbolChange,
    facts: SymbolFacts | undefined,
  ): Promise<readonly UsingPlace[] | undefined> {
    if (change === "added" || kind === "section" || this.#signal.aborted) return undefined;
    if (this.#userQueries >= MAX_USER_QUERIES || performance.now() > this.#deadline)
      return undefined;
    this.#userQueries += 1;
    if (facts !== undefined) return this.#context.users({ ...facts, path });
    if (change !== "removed") return undefined;
    // A removed symbol: find the places that still use its name.
    const last = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
    const files = await this.#context.reader.usesOf(last);
    return files.flatMap(({ path: user, uses }) =>
      uses.map(({ line }) => ({ path: user, line, owner: undefined })),
    );
  }
}

function placeOfName(
  path: string,
  file: SourceFileLines | undefined,
  { nameLine }: SymbolFacts,
): string | undefined {
  return documentPlace(path, file?.document, { startLine: nameLine, endLine: nameLine });
}

/** The `number`th of the symbols with this name and kind, or else the first of them. */
function find(
  symbols: readonly SymbolFacts[],
  { name, kind }: SymbolChange,
  number: number,
): SymbolFacts | undefined {
  // Changes from before format 6 call fields constants.
  const alike = symbols.filter(
    (one) =>
      one.qualifiedName === name &&
      (one.kind === kind || (isValueKind(one.kind) && isValueKind(kind))),
  );
  return alike[number] ?? alike[0];
}

/** `src/session.ts:12 in Session.open` */
function placeText({ path, line, owner }: UsingPlace): string {
  return owner === undefined ? `${path}:${line}` : `${path}:${line} in ${owner.qualifiedName}`;
}
