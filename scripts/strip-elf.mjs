// Drops symbol tables and debug sections from a Linux executable, as `strip` does, without needing
// binutils on the machine that builds. Layout of the headers: elf(5).

import { readFileSync, writeFileSync } from "node:fs";

const ELF_MAGIC = 0x7f454c46;
const SECTION_STRINGS = 3;
const SECTION_NO_BITS = 8;
const FLAG_IN_MEMORY = 2n;

/** Offsets of the fields in the header of the file. */
const HEADER = {
  wordSize: 4,
  byteOrder: 5,
  programTable: 0x20,
  sectionTable: 0x28,
  programEntrySize: 0x36,
  programCount: 0x38,
  sectionEntrySize: 0x3a,
  sectionCount: 0x3c,
  sectionNames: 0x3e,
};

/** Offsets of the fields of one entry of the section table. */
const SECTION = { name: 0, type: 4, flags: 8, offset: 0x18, size: 0x20, link: 0x28, align: 0x30 };

/** Offsets of the fields of one entry of the program table. */
const SEGMENT = { offset: 8, fileSize: 0x20 };

/** Writes `source`, without the parts that are never loaded into memory, to `target` as an executable file. */
export function stripElf(source, target) {
  const file = readFileSync(source);
  if (
    file.readUInt32BE(0) !== ELF_MAGIC ||
    file[HEADER.wordSize] !== 2 ||
    file[HEADER.byteOrder] !== 1
  ) {
    throw new Error(`${source} is not a 64-bit little-endian ELF file`);
  }
  const sections = readSections(file);
  const kept = sections.filter(({ flags }, i) => i === 0 || (flags & FLAG_IN_MEMORY) !== 0n);
  // Cutting the table is only right while the loaded sections come first: they refer to each other
  // by position.
  if (kept.some((section, i) => section !== sections[i])) {
    throw new Error(`${source} mixes loaded and other sections`);
  }

  const end = endOfLoadedBytes(file, kept);
  const { names, headers } = newSectionTable(kept, end);
  const padding = Buffer.alloc((8 - ((end + names.length) % 8)) % 8);
  const output = Buffer.concat([file.subarray(0, end), names, padding, ...headers]);
  output.writeBigUInt64LE(BigInt(end + names.length + padding.length), HEADER.sectionTable);
  output.writeUInt16LE(headers.length, HEADER.sectionCount);
  output.writeUInt16LE(headers.length - 1, HEADER.sectionNames);
  writeFileSync(target, output, { mode: 0o755 });
}

function readSections(file) {
  const table = Number(file.readBigUInt64LE(HEADER.sectionTable));
  const entrySize = file.readUInt16LE(HEADER.sectionEntrySize);
  const count = file.readUInt16LE(HEADER.sectionCount);
  const sections = Array.from({ length: count }, (_, i) => {
    const header = file.subarray(table + i * entrySize, table + (i + 1) * entrySize);
    return {
      header,
      nameOffset: header.readUInt32LE(SECTION.name),
      type: header.readUInt32LE(SECTION.type),
      flags: header.readBigUInt64LE(SECTION.flags),
      offset: Number(header.readBigUInt64LE(SECTION.offset)),
      size: Number(header.readBigUInt64LE(SECTION.size)),
      link: header.readUInt32LE(SECTION.link),
    };
  });
  const names = sections[file.readUInt16LE(HEADER.sectionNames)];
  return sections.map((section) => {
    const start = names.offset + section.nameOffset;
    return { ...section, name: file.toString("latin1", start, file.indexOf(0, start)) };
  });
}

function endOfLoadedBytes(file, sections) {
  const inFile = sections.filter(({ type }) => type !== SECTION_NO_BITS);
  const ends = inFile.map(({ offset, size }) => offset + size);
  const table = Number(file.readBigUInt64LE(HEADER.programTable));
  const entrySize = file.readUInt16LE(HEADER.programEntrySize);
  for (let i = 0; i < file.readUInt16LE(HEADER.programCount); i++) {
    const entry = table + i * entrySize;
    const offset = Number(file.readBigUInt64LE(entry + SEGMENT.offset));
    ends.push(offset + Number(file.readBigUInt64LE(entry + SEGMENT.fileSize)));
  }
  return Math.max(...ends);
}

/** The headers of `sections`, followed by the header of the new table of their names. */
function newSectionTable(sections, namesOffset) {
  const ownName = ".shstrtab";
  const names = Buffer.from(`${[...sections.map(({ name }) => name), ownName].join("\0")}\0`);
  let nameOffset = 0;
  const headers = sections.map((section) => {
    const header = Buffer.from(section.header);
    header.writeUInt32LE(nameOffset, SECTION.name);
    nameOffset += section.name.length + 1;
    if (section.link >= sections.length) header.writeUInt32LE(0, SECTION.link);
    return header;
  });
  const own = Buffer.alloc(sections[0].header.length);
  own.writeUInt32LE(nameOffset, SECTION.name);
  own.writeUInt32LE(SECTION_STRINGS, SECTION.type);
  own.writeBigUInt64LE(BigInt(namesOffset), SECTION.offset);
  own.writeBigUInt64LE(BigInt(names.length), SECTION.size);
  own.writeBigUInt64LE(1n, SECTION.align);
  return { names, headers: [...headers, own] };
}
