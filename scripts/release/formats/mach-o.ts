// The parts of a 64-bit Mach-O file that packing and signing change. Layout: <mach-o/loader.h> of macOS's SDK.

const MAGIC = 0xfeedfacf;
const HEADER_BYTES = 32;
const HEADER = { magic: 0, commandCount: 16, commandBytes: 20 } as const;

const COMMAND = {
  symbols: 0x2,
  dynamicSymbols: 0xb,
  segment: 0x19,
  signature: 0x1d,
  /** The older form of the last two. */
  linkerInfo: 0x80000022,
  splitInfo: 0x1e,
  functionStarts: 0x26,
  dataInCode: 0x29,
  linkerHints: 0x2e,
  exportsTrie: 0x80000033,
  chainedFixups: 0x80000034,
} as const;
type CommandType = keyof typeof COMMAND;

/** Offsets in a command with data in __LINKEDIT. */
export const LINKED = { offset: 8, size: 12, commandBytes: 16 } as const;
/** Those whose data is neither symbols nor the signature. The first has five pairs of offset and size. */
const WITH_DATA = [
  "linkerInfo",
  "splitInfo",
  "functionStarts",
  "dataInCode",
  "linkerHints",
  "exportsTrie",
  "chainedFixups",
] as const;
/** Offsets in a segment's command. */
const SEGMENT = { name: 8, memorySize: 32, offset: 40, size: 48 } as const;
const NAME_BYTES = 16;

/** Of macOS on ARM; sizes in memory are multiples of it. */
const PAGE = 0x4000;

/** One load command. */
export interface Command {
  readonly type: number;
  readonly at: number;
  readonly bytes: number;
}

interface Segment {
  readonly name: string;
  /** Where its command is. */
  readonly at: number;
  readonly offset: number;
  readonly size: number;
}

/** Throws for another format, and for a file that is cut off. */
export function readCommands(file: Buffer): readonly Command[] {
  if (file.length < HEADER_BYTES || file.readUInt32LE(HEADER.magic) !== MAGIC)
    throw new Error("it is not a 64-bit Mach-O file");
  const commands = [];
  let at = HEADER_BYTES;
  const end = HEADER_BYTES + file.readUInt32LE(HEADER.commandBytes);
  for (let i = 0; i < file.readUInt32LE(HEADER.commandCount); i++) {
    const bytes = file.readUInt32LE(at + 4);
    if (bytes < 8 || at + bytes > end) throw new Error("its load commands are damaged");
    commands.push({ type: file.readUInt32LE(at), at, bytes });
    at += bytes;
  }
  return commands;
}

/** The only command of the type; undefined if there is none. */
export function commandOf(commands: readonly Command[], type: CommandType): Command | undefined {
  return commands.find((command) => command.type === COMMAND[type]);
}

/** Where the last data in __LINKEDIT ends, apart from symbols and the signature. */
export function endOfOtherData(file: Buffer, commands: readonly Command[]): number {
  const ends = WITH_DATA.flatMap((type) => {
    const command = commandOf(commands, type);
    if (command === undefined) return [];
    const pairs = (command.bytes - LINKED.offset) / 8;
    return Array.from({ length: pairs }, (_, i) => {
      const at = command.at + LINKED.offset + i * 8;
      return file.readUInt32LE(at) + file.readUInt32LE(at + 4);
    });
  });
  return Math.max(0, ...ends);
}

function segmentsOf(file: Buffer): readonly Segment[] {
  return readCommands(file)
    .filter(({ type }) => type === COMMAND.segment)
    .map(({ at }) => ({
      name: file
        .toString("latin1", at + SEGMENT.name, at + SEGMENT.name + NAME_BYTES)
        .replace(/\0.*$/s, ""),
      at,
      offset: Number(file.readBigUInt64LE(at + SEGMENT.offset)),
      size: Number(file.readBigUInt64LE(at + SEGMENT.size)),
    }));
}

export function requireSegment(file: Buffer, name: string): Segment {
  const found = segmentsOf(file).find((segment) => segment.name === name);
  if (found === undefined) throw new Error(`it has no segment ${name}`);
  return found;
}

/** Sets where the file ends: __LINKEDIT is its last segment. */
export function endLinkeditAt(file: Buffer, end: number): void {
  const { at, offset } = requireSegment(file, "__LINKEDIT");
  const size = end - offset;
  file.writeBigUInt64LE(BigInt(size), at + SEGMENT.size);
  file.writeBigUInt64LE(BigInt(Math.ceil(size / PAGE) * PAGE), at + SEGMENT.memorySize);
}

/** Removes a command, which must be the last one. */
export function dropLastCommand(file: Buffer, { at, bytes }: Command): void {
  const size = file.readUInt32LE(HEADER.commandBytes);
  if (at + bytes !== HEADER_BYTES + size) throw new Error("the load command is not the last one");
  file.fill(0, at, at + bytes);
  file.writeUInt32LE(size - bytes, HEADER.commandBytes);
  file.writeUInt32LE(file.readUInt32LE(HEADER.commandCount) - 1, HEADER.commandCount);
}

/** Adds a command with data in __LINKEDIT. Throws if the header has no room for it. */
export function addLinkedCommand(file: Buffer, type: CommandType): Command {
  const size = file.readUInt32LE(HEADER.commandBytes);
  const at = HEADER_BYTES + size;
  const room = file.subarray(at, at + LINKED.commandBytes);
  if (room.some((byte) => byte !== 0)) throw new Error("its header has no room for a command");
  file.writeUInt32LE(COMMAND[type], at);
  file.writeUInt32LE(LINKED.commandBytes, at + 4);
  file.writeUInt32LE(size + LINKED.commandBytes, HEADER.commandBytes);
  file.writeUInt32LE(file.readUInt32LE(HEADER.commandCount) + 1, HEADER.commandCount);
  return { type: COMMAND[type], at, bytes: LINKED.commandBytes };
}
