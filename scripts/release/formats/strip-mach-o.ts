// Removes the local symbols of a macOS executable and its signature, as `strip -x` does, without a Mac: a quarter of Node.
// It keeps symbols that an addon or macOS looks up.

import {
  commandOf,
  dropLastCommand,
  endLinkeditAt,
  endOfOtherData,
  readCommands,
} from "./mach-o.ts";

/** Offsets in the command of the symbol table. */
const SYMBOLS = { offset: 8, count: 12, namesOffset: 16, namesSize: 20 } as const;
/** Offsets in the command that divides it: local symbols, those for others, those of others. */
const DYNAMIC = {
  localStart: 8,
  localCount: 12,
  exportedStart: 16,
  exportedCount: 20,
  importedStart: 24,
  importedCount: 28,
  indirectOffset: 56,
  indirectCount: 60,
} as const;
const SYMBOL_BYTES = 16;
const INDIRECT_BYTES = 4;
/** An entry of the indirect table without a symbol: for a local address, or a constant. */
const NO_SYMBOL = 0xc0000000;

/** Returns the file without them; unsigned, since a signature covers every byte. */
export function stripMachO(original: Buffer): Buffer {
  const file = Buffer.from(original);
  const commands = readCommands(file);
  const symbols = commandOf(commands, "symbols")?.at;
  const dynamic = commandOf(commands, "dynamicSymbols")?.at;
  if (symbols === undefined || dynamic === undefined) throw new Error("it has no symbols");
  const start = file.readUInt32LE(symbols + SYMBOLS.offset);
  requireLayout(file, { start, symbols, dynamic });
  if (endOfOtherData(file, commands) > start)
    throw new Error("its symbols are not at the end of the file");

  const localCount = file.readUInt32LE(dynamic + DYNAMIC.localCount);
  const count = file.readUInt32LE(symbols + SYMBOLS.count) - localCount;
  const from = start + localCount * SYMBOL_BYTES;
  const { table, names } = withOwnNames(file.subarray(from, from + count * SYMBOL_BYTES), {
    names: file.subarray(file.readUInt32LE(symbols + SYMBOLS.namesOffset)),
  });
  const indirect = indirectTable(file, dynamic, localCount);

  const indirectOffset = start + table.length;
  const namesOffset = indirectOffset + indirect.length;
  file.writeUInt32LE(count, symbols + SYMBOLS.count);
  file.writeUInt32LE(namesOffset, symbols + SYMBOLS.namesOffset);
  file.writeUInt32LE(names.length, symbols + SYMBOLS.namesSize);
  file.writeUInt32LE(0, dynamic + DYNAMIC.localCount);
  for (const field of [DYNAMIC.exportedStart, DYNAMIC.importedStart])
    file.writeUInt32LE(file.readUInt32LE(dynamic + field) - localCount, dynamic + field);
  file.writeUInt32LE(indirectOffset, dynamic + DYNAMIC.indirectOffset);

  const signature = commandOf(commands, "signature");
  if (signature !== undefined) dropLastCommand(file, signature);
  endLinkeditAt(file, namesOffset + names.length);
  return Buffer.concat([file.subarray(0, start), table, indirect, names]);
}

/** Local symbols come first, and the tables that belong to them follow. */
function requireLayout(
  file: Buffer,
  { start, symbols, dynamic }: Readonly<Record<"start" | "symbols" | "dynamic", number>>,
): void {
  const field = (name: keyof typeof DYNAMIC): number => file.readUInt32LE(dynamic + DYNAMIC[name]);
  const tables = [
    file.readUInt32LE(symbols + SYMBOLS.namesOffset),
    ...(field("indirectCount") === 0 ? [] : [field("indirectOffset")]),
  ];
  const isKnown =
    field("localStart") === 0 &&
    field("exportedStart") === field("localCount") &&
    field("importedStart") === field("exportedStart") + field("exportedCount") &&
    field("importedStart") + field("importedCount") ===
      file.readUInt32LE(symbols + SYMBOLS.count) &&
    tables.every((offset) => offset > start);
  if (!isKnown) throw new Error("its symbol table has an unknown layout");
}

/** The entries of the symbol table, with a table of no more than their names. */
function withOwnNames(
  entries: Buffer,
  { names }: { readonly names: Buffer },
): { readonly table: Buffer; readonly names: Buffer } {
  const table = Buffer.from(entries);
  // A name at position 0 means no name.
  const parts: Buffer[] = [Buffer.from([0])];
  let position = 1;
  for (let at = 0; at < table.length; at += SYMBOL_BYTES) {
    const from = table.readUInt32LE(at);
    if (from === 0) continue;
    const name = names.subarray(from, names.indexOf(0, from) + 1);
    table.writeUInt32LE(position, at);
    parts.push(name);
    position += name.length;
  }
  parts.push(Buffer.alloc((8 - (position % 8)) % 8));
  return { table, names: Buffer.concat(parts) };
}

/** The numbers of symbols in it, after `localCount` symbols are gone; filled to a multiple of 8 bytes. */
function indirectTable(file: Buffer, dynamic: number, localCount: number): Buffer {
  const from = file.readUInt32LE(dynamic + DYNAMIC.indirectOffset);
  const bytes = file.readUInt32LE(dynamic + DYNAMIC.indirectCount) * INDIRECT_BYTES;
  const table = Buffer.alloc(Math.ceil(bytes / 8) * 8);
  file.copy(table, 0, from, from + bytes);
  for (let at = 0; at < bytes; at += INDIRECT_BYTES) {
    const symbol = table.readUInt32LE(at);
    // oxlint-disable-next-line no-bitwise -- flags
    if ((symbol & NO_SYMBOL) !== 0) continue;
    if (symbol < localCount) throw new Error("it looks up a local symbol by its number");
    table.writeUInt32LE(symbol - localCount, at);
  }
  return table;
}
