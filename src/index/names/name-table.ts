// The names of definitions as columns: what SymbolNames searches, and what a segment stores. Names, symbols,
// words and owners are numbers.

import { NumberList } from "../coding/bytes.ts";
import { groupOf, grouped, inverted, type Groups } from "../coding/number-groups.ts";
import { bySymbolLine } from "../symbol-order.ts";
import { ACCESS_LEVELS, CHUNK_KINDS, type SymbolFacts } from "../types.ts";
import { eachPair, initialsMask, letterMask, subWords } from "./sub-words.ts";

/** Bits of a kind in `traits`; the bits of the access level are above them. */
export const KIND_BITS = 4;

/** Facts of each name by which a query excludes most names without reading them. */
interface NameFacts {
  /** `letterMask` of each name. */
  readonly masks: Uint32Array;
  /** `initialsMask` of each name. */
  readonly initials: Uint32Array;
  /** For each name, a bit set of its `eachPair` numbers 0 to 31 … */
  readonly lowPairs: Uint32Array;
  /** … and 32 to 63. */
  readonly highPairs: Uint32Array;
}

/** A text of which parts are read. It may be a string, or bytes of which only those parts become strings. */
export type NameText = Pick<string, "length" | "slice">;

/** The distinct names that some files define, and their definitions. */
export interface NameTable extends NameFacts {
  /** All names, one after the other. */
  readonly text: NameText;
  /** Start of each name in `text`, in UTF-16 units, and the end of the last. */
  readonly starts: Uint32Array;
  /** The definitions of each name. */
  readonly symbolsOfNames: Groups;
  /** The distinct sub-words of all names. */
  readonly words: readonly string[];
  /** `letterMask` of each of them. */
  readonly wordMasks: Uint32Array;
  /** The names with each sub-word. A name that contains it twice may occur twice. */
  readonly namesOfWords: Groups;
  /** For each symbol, the number of its owner. */
  readonly owners: Uint32Array;
  readonly ownerTexts: readonly string[];
  /** Kind and access level of each symbol. */
  readonly traits: Uint8Array;
}

/** Builds the table of the definitions of files. */
export class NameTableBuilder {
  readonly #names = new DistinctNames();
  readonly #owners = new DistinctTexts([""]);
  readonly #nameOfSymbols = new NumberList();
  readonly #ownerOfSymbols = new NumberList();
  readonly #traits = new NumberList();

  /** Adds the symbols of one file, numbered by line. Call it for each file, in order. */
  add(symbols: readonly SymbolFacts[]): void {
    let owner = "";
    let ownerNumber = 0;
    for (const { name, qualifiedName, kind, access } of symbols.toSorted(bySymbolLine)) {
      // Most symbols have the same owner as the one before.
      const length = qualifiedName.endsWith(name) ? qualifiedName.length - name.length : 0;
      if (length !== owner.length || !qualifiedName.startsWith(owner)) {
        owner = qualifiedName.slice(0, length);
        ownerNumber = this.#owners.add(owner);
      }
      this.#nameOfSymbols.push(this.#names.add(name));
      this.#ownerOfSymbols.push(ownerNumber);
      this.#traits.push(CHUNK_KINDS.indexOf(kind) | (ACCESS_LEVELS.indexOf(access) << KIND_BITS));
    }
  }

  build(): NameTable {
    return this.#names.table({
      nameOfSymbols: this.#nameOfSymbols.finish(),
      owners: this.#ownerOfSymbols.finish().slice(),
      ownerTexts: this.#owners.texts,
      traits: Uint8Array.from(this.#traits.finish()),
    });
  }
}

/** A table to merge. */
export interface NameTableInput {
  readonly table: NameTable;
  /** The new number of each symbol; -1 for those to drop. */
  readonly symbols: Int32Array;
}

/** Merges tables into one with `symbolCount` symbols. Copies the facts of names instead of computing them again. */
export function mergeNameTables(inputs: readonly NameTableInput[], symbolCount: number): NameTable {
  const names = new DistinctNames();
  const ownerTexts = new DistinctTexts([""]);
  const nameOfSymbols = new Uint32Array(symbolCount);
  const owners = new Uint32Array(symbolCount);
  const traits = new Uint8Array(symbolCount);
  for (const { table, symbols } of inputs) {
    const copy = names.copierOf(table);
    const newOwners = new Int32Array(table.ownerTexts.length).fill(-1);
    for (let name = 0; name + 1 < table.starts.length; name += 1) {
      let number = -1;
      for (const symbol of groupOf(table.symbolsOfNames, name)) {
        const at = symbols[symbol] ?? -1;
        if (at < 0) continue;
        if (number < 0) number = copy(name);
        nameOfSymbols[at] = number;
        traits[at] = table.traits[symbol] ?? 0;
        const owner = table.owners[symbol] ?? 0;
        if ((newOwners[owner] ?? 0) < 0) {
          newOwners[owner] = ownerTexts.add(table.ownerTexts[owner] ?? "");
        }
        owners[at] = newOwners[owner] ?? 0;
      }
    }
  }
  return names.table({ nameOfSymbols, owners, ownerTexts: ownerTexts.texts, traits });
}

/** Numbers texts in the order in which they are added. */
class DistinctTexts {
  readonly #numbers = new Map<string, number>();

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(text: string): number | undefined {
    return this.#numbers.get(text.toWellFormed());
  }

  add(text: string): number {
    const known = this.numberOf(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // It may be a slice of its file's text, which it would keep in memory.
    this.#numbers.set(Buffer.from(text).toString(), number);
    return number;
  }
}

/** Collects names with their facts and sub-words. */
class DistinctNames {
  readonly #names = new DistinctTexts();
  readonly #words = new DistinctTexts();
  readonly #masks = new NumberList();
  readonly #initials = new NumberList();
  readonly #lowPairs = new NumberList();
  readonly #highPairs = new NumberList();
  /** Each occurrence of a word in a name: the number of the word … */
  readonly #wordsInNames = new NumberList();
  /** … and of the name. */
  readonly #namesWithWords = new NumberList();

  add(name: string): number {
    const known = this.#names.numberOf(name);
    if (known !== undefined) return known;
    let low = 0;
    let high = 0;
    eachPair(name, (pair) => {
      if (pair < 32) low |= 1 << pair;
      else high |= 1 << pair;
    });
    const number = this.#push(name, {
      mask: letterMask(name),
      initials: initialsMask(name),
      low,
      high,
    });
    for (const word of subWords(name)) this.#addWord(this.#words.add(word), number);
    return number;
  }

  /** Returns a function that adds a name of a table, by its number there, and returns its number here. */
  copierOf(table: NameTable): (name: number) => number {
    const wordsOfNames = inverted(table.namesOfWords, table.starts.length - 1);
    const newWords = new Int32Array(table.words.length).fill(-1);
    return (name) => {
      const text = table.text.slice(table.starts[name], table.starts[name + 1]);
      const known = this.#names.numberOf(text);
      if (known !== undefined) return known;
      const number = this.#push(text, {
        mask: table.masks[name] ?? 0,
        initials: table.initials[name] ?? 0,
        low: table.lowPairs[name] ?? 0,
        high: table.highPairs[name] ?? 0,
      });
      for (const word of groupOf(wordsOfNames, name)) {
        if ((newWords[word] ?? 0) < 0) newWords[word] = this.#words.add(table.words[word] ?? "");
        this.#addWord(newWords[word] ?? 0, number);
      }
      return number;
    };
  }

  #push(
    name: string,
    facts: Readonly<Record<"mask" | "initials" | "low" | "high", number>>,
  ): number {
    this.#masks.push(facts.mask);
    this.#initials.push(facts.initials);
    this.#lowPairs.push(facts.low);
    this.#highPairs.push(facts.high);
    return this.#names.add(name);
  }

  #addWord(word: number, name: number): void {
    this.#wordsInNames.push(word);
    this.#namesWithWords.push(name);
  }

  table({
    nameOfSymbols,
    ...symbols
  }: Pick<NameTable, "owners" | "ownerTexts" | "traits"> & {
    readonly nameOfSymbols: Uint32Array;
  }): NameTable {
    const names = this.#names.texts;
    const words = this.#words.texts;
    return {
      text: names.join(""),
      starts: startsOf(names),
      masks: this.#masks.finish().slice(),
      initials: this.#initials.finish().slice(),
      lowPairs: this.#lowPairs.finish().slice(),
      highPairs: this.#highPairs.finish().slice(),
      symbolsOfNames: grouped(nameOfSymbols, undefined, names.length),
      words,
      wordMasks: Uint32Array.from(words, letterMask),
      namesOfWords: grouped(
        this.#wordsInNames.finish(),
        this.#namesWithWords.finish(),
        words.length,
      ),
      ...symbols,
    };
  }
}

/** Returns the start of each text in all of them joined, and the end of the last, in UTF-16 units. */
export function startsOf(texts: readonly string[]): Uint32Array {
  const starts = new Uint32Array(texts.length + 1);
  for (const [at, { length }] of texts.entries()) starts[at + 1] = (starts[at] ?? 0) + length;
  return starts;
}
