// Merges tables of names. Their entries are sorted, so the merge reads one block after the other.

import { NumberList } from "../coding/bytes.ts";
import { DistinctTexts } from "../coding/distinct-texts.ts";
import type { NameTable } from "./name-table.ts";
import { NameTableWriter } from "./name-table-writer.ts";

/** A table to merge. */
export interface NameTableInput {
  readonly table: NameTable;
  /** The new number of each symbol; -1 for those to drop. The new numbers rise in each input, and from input to input. */
  readonly symbols: Int32Array;
}

/** Merges tables into one, and returns its bytes. */
export function mergeNameTables(inputs: readonly NameTableInput[]): Uint8Array {
  const writer = new NameTableWriter();
  mergeTerms(writer, inputs, mergeNames(writer, inputs));
  const owners = new DistinctTexts([""]);
  for (const input of inputs) copySymbols(writer, input, owners);
  for (const owner of owners.texts) writer.addOwner(owner);
  return writer.finish();
}

/** Returns the new number of each name of each input; -1 for those of which no symbol is left. */
function mergeNames(
  writer: NameTableWriter,
  inputs: readonly NameTableInput[],
): readonly Int32Array[] {
  const numbers = inputs.map(({ table }) => new Int32Array(table.size).fill(-1));
  const kept = new NumberList();
  const streams = inputs.map(({ table }) => namesOf(table));
  for (const { text, holders } of inOrder(streams)) {
    kept.clear();
    for (const { input, item } of holders) {
      const { table, symbols } = inputs[input] ?? {};
      addNumbers(kept, table?.symbolsOf(item.at), symbols);
    }
    if (kept.length === 0) continue;
    const number = writer.addName(text, kept.finish());
    for (const { input, item } of holders) numbers[input]?.fill(number, item.at, item.at + 1);
  }
  return numbers;
}

function* namesOf(table: NameTable): Generator<{ readonly text: string; readonly at: number }> {
  for (let at = 0; at < table.size; at += 1) yield { text: table.name(at), at };
}

/** `names`: the new number of each name of each input. */
function mergeTerms(
  writer: NameTableWriter,
  inputs: readonly NameTableInput[],
  names: readonly Int32Array[],
): void {
  const kept = new NumberList();
  for (const { text, holders } of inOrder(inputs.map(({ table }) => table.termsFrom("")))) {
    kept.clear();
    for (const { input, item } of holders) addNumbers(kept, item.names(), names[input]);
    const all = kept.finish();
    // Several inputs may have a name.
    const distinct = holders.length === 1 ? all : Uint32Array.from(new Set(all.toSorted()));
    if (distinct.length > 0) writer.addTerm(text, distinct);
  }
}

/** Adds the new numbers of those that are kept. */
function addNumbers(
  to: NumberList,
  numbers: Iterable<number> = [],
  renumber: Int32Array = NO_NUMBERS,
): void {
  for (const number of numbers) {
    const kept = renumber[number] ?? -1;
    if (kept >= 0) to.push(kept);
  }
}

const NO_NUMBERS = new Int32Array(0);

function copySymbols(
  writer: NameTableWriter,
  { table, symbols }: NameTableInput,
  owners: DistinctTexts,
): void {
  const numbers: number[] = [];
  for (let symbol = 0; symbol < table.symbolCount; symbol += 1) {
    if ((symbols[symbol] ?? -1) < 0) continue;
    const owner = table.ownerOf(symbol);
    const number = (numbers[owner] ??= owners.add(table.ownerText(owner)));
    writer.addSymbol(number, table.traitsOf(symbol));
  }
}

interface Holder<T> {
  /** Number of its input. */
  readonly input: number;
  readonly item: T;
}

/** Yields the distinct texts of sorted streams in order, each with the streams that have it. There are few streams. */
function* inOrder<T extends { readonly text: string }>(
  streams: readonly Iterator<T>[],
): Generator<{ readonly text: string; readonly holders: readonly Holder<T>[] }> {
  const heads = streams.map((stream) => nextOf(stream));
  for (;;) {
    let text: string | undefined;
    for (const head of heads) {
      if (head !== undefined && (text === undefined || head.text < text)) ({ text } = head);
    }
    if (text === undefined) return;
    const holders = heads.flatMap((item, input) => (item?.text === text ? { input, item } : []));
    yield { text, holders };
    for (const { input } of holders) heads[input] = nextOf(streams[input]);
  }
}

function nextOf<T>(stream: Iterator<T> | undefined): T | undefined {
  const step = stream?.next();
  return step?.done === true ? undefined : step?.value;
}
