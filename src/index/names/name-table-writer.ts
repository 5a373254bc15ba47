// Writes the table of names: docs/index-format.md has the layout. Names and terms are sorted, so a query reads only the
// blocks that it needs, and a merge reads one block after the other.

import { BlockGroupWriter } from "../coding/block-groups.ts";
import { ByteWriter, NumberList } from "../coding/bytes.ts";
import { bytesOfNumbers, compressSection, differences } from "../coding/compressed.ts";
import { DistinctTexts } from "../coding/distinct-texts.ts";
import { writeFrontCoded } from "../coding/front-coding.ts";
import { groupOf, grouped } from "../coding/number-groups.ts";
import { bySymbolLine } from "../symbol-order.ts";
import { ACCESS_LEVELS, CHUNK_KINDS, type SymbolFacts } from "../types.ts";
import { KIND_BITS } from "./name-table.ts";
import { PER_BLOCK, type NameTableKind } from "./name-table-blocks.ts";
import { termsOfName } from "./name-terms.ts";

/** Writes a table: all names, then all terms, all symbols and all owners, each in order. */
export class NameTableWriter {
  readonly #texts = new BlockStream();
  readonly #lists = new BlockStream();
  readonly #list = new ByteWriter();
  readonly #firstTerms = new ByteWriter();
  readonly #counts = { names: 0, terms: 0, symbols: 0, owners: 0 };
  #kind: NameTableKind = "names";
  #inBlock = 0;
  #text = "";
  #owner = 0;

  /** `symbols`: its definitions, ascending. Returns its number. */
  addName(name: string, symbols: Uint32Array): number {
    this.#begin("names");
    this.#addText(name);
    this.#lists.block.varint(symbols.length);
    writeAscending(this.#lists.block, symbols);
    return this.#counts.names - 1;
  }

  /** `names`: the numbers of the names with it, ascending. */
  addTerm(term: string, names: Uint32Array): void {
    this.#begin("terms");
    if (this.#inBlock === 1) this.#firstTerms.text(term);
    this.#addText(term);
    this.#list.clear();
    writeAscending(this.#list, names);
    this.#lists.block.varint(names.length);
    this.#lists.block.varint(this.#list.length);
    this.#lists.block.copy(this.#list);
  }

  /** `owner`: the number of its owner. */
  addSymbol(owner: number, traits: number): void {
    this.#begin("symbols");
    const step = owner - this.#owner;
    this.#lists.block.varint(step < 0 ? -2 * step - 1 : 2 * step);
    this.#lists.block.byte(traits);
    this.#owner = owner;
  }

  addOwner(owner: string): void {
    this.#begin("owners");
    this.#addText(owner);
  }

  #begin(kind: NameTableKind): void {
    if (kind !== this.#kind || this.#inBlock === PER_BLOCK[kind]) this.#endBlock();
    this.#kind = kind;
    this.#inBlock += 1;
    this.#counts[kind] += 1;
  }

  #addText(text: string): void {
    this.#text = writeFrontCoded(this.#texts.block, this.#text, text);
  }

  #endBlock(): void {
    if (this.#inBlock === 0) return;
    if (this.#kind !== "symbols") this.#texts.end();
    if (this.#kind !== "owners") this.#lists.end();
    this.#inBlock = 0;
    this.#text = "";
    this.#owner = 0;
  }

  /** Returns the bytes of the table. Nothing can be added afterwards. */
  finish(): Uint8Array {
    this.#endBlock();
    const { names, terms, symbols, owners } = this.#counts;
    const streams = [this.#texts.finish(), this.#lists.finish()];
    const index = compressSection([
      bytesOfNumbers(Uint32Array.of(names, terms, symbols, owners)),
      ...streams.map(({ index: bytes }) => bytes),
      this.#firstTerms.finish(),
    ]);
    const length = bytesOfNumbers(Uint32Array.of(index.length));
    return Buffer.concat([length, index, ...streams.map(({ groups }) => groups)]);
  }
}

/** Blocks one after the other, of which several are compressed at a time. */
class BlockStream {
  /** The block that is written now. */
  readonly block = new ByteWriter();
  readonly #groups = new BlockGroupWriter();
  readonly #starts = new NumberList();

  end(): void {
    this.#starts.push(this.#groups.length);
    this.#groups.add((to) => to.copy(this.block));
    this.block.clear();
  }

  finish(): { readonly index: Uint8Array; readonly groups: Uint8Array } {
    this.#starts.push(this.#groups.length);
    const { groups, places } = this.#groups.finish();
    const index = Buffer.concat([
      bytesOfNumbers(Uint32Array.of(places.length)),
      bytesOfNumbers(differences(this.#starts.finish())),
      bytesOfNumbers(differences(places)),
    ]);
    return { index, groups };
  }
}

/** Each number as its distance from the one before. */
function writeAscending(to: ByteWriter, numbers: Uint32Array): void {
  let last = 0;
  for (const number of numbers) {
    to.varint(number - last);
    last = number;
  }
}

/** Builds the table of the definitions of files. */
export class NameTableBuilder {
  readonly #names = new DistinctTexts();
  readonly #owners = new DistinctTexts([""]);
  readonly #nameOfSymbols = new NumberList();
  readonly #ownerOfSymbols = new NumberList();
  readonly #traits = new ByteWriter();

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
      const traits = CHUNK_KINDS.indexOf(kind) | (ACCESS_LEVELS.indexOf(access) << KIND_BITS);
      this.addSymbol(this.#names.add(name), ownerNumber, traits);
    }
  }

  /** Adds a symbol by the numbers that `addName` and `addOwner` returned. */
  addSymbol(name: number, owner: number, traits: number): void {
    this.#nameOfSymbols.push(name);
    this.#ownerOfSymbols.push(owner);
    this.#traits.byte(traits);
  }

  addName(name: string): number {
    return this.#names.add(name);
  }

  addOwner(owner: string): number {
    return this.#owners.add(owner);
  }

  /** Returns the bytes of the table. */
  build(): Uint8Array {
    const writer = new NameTableWriter();
    const names = this.#names.texts.toSorted();
    const symbols = grouped(this.#nameOfSymbols.finish(), undefined, names.length);
    for (const name of names) writer.addName(name, groupOf(symbols, this.#names.add(name)));
    addTerms(writer, names);
    const owners = this.#ownerOfSymbols.finish();
    const traits = this.#traits.finish();
    for (const [symbol, owner] of owners.entries()) writer.addSymbol(owner, traits[symbol] ?? 0);
    for (const owner of this.#owners.texts) writer.addOwner(owner);
    return writer.finish();
  }
}

function addTerms(writer: NameTableWriter, names: readonly string[]): void {
  const terms = new DistinctTexts();
  const termOfPairs = new NumberList();
  const nameOfPairs = new NumberList();
  for (const [number, name] of names.entries()) {
    for (const term of termsOfName(name)) {
      termOfPairs.push(terms.add(term));
      nameOfPairs.push(number);
    }
  }
  const count = terms.texts.length;
  const namesOfTerms = grouped(termOfPairs.finish(), nameOfPairs.finish(), count);
  for (const term of terms.texts.toSorted())
    writer.addTerm(term, groupOf(namesOfTerms, terms.add(term)));
}
