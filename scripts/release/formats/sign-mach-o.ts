// Signs a macOS executable without a certificate ("ad hoc"), as `codesign --sign -` does on a Mac: macOS on ARM ends a
// program without a signature. Layout: cs_blobs.h of the XNU kernel; numbers are big-endian.

import { createHash } from "node:crypto";

import {
  addLinkedCommand,
  commandOf,
  endLinkeditAt,
  LINKED,
  readCommands,
  requireSegment,
} from "./mach-o.ts";

const PAGE_BITS = 12;
const PAGE = 2 ** PAGE_BITS;
const HASH_BYTES = 32;
const SHA256 = 2;

const MAGIC = {
  signature: 0xfade0cc0,
  directory: 0xfade0c02,
  requirements: 0xfade0c01,
  certificate: 0xfade0b01,
} as const;
/** The types of blobs in a signature. */
const SLOT = { directory: 0, requirements: 2, certificate: 0x10000 } as const;

/** The first version that says which segment is the program's code. */
const VERSION = 0x20400;
const AD_HOC = 2;
const MAIN_PROGRAM = 1n;
/** Offsets in the code directory. */
const DIRECTORY = {
  version: 8,
  flags: 12,
  hashes: 16,
  name: 20,
  specialCount: 24,
  pageCount: 28,
  codeBytes: 32,
  hashBytes: 36,
  hashType: 37,
  pageBits: 39,
  textOffset: 64,
  textSize: 72,
  textFlags: 80,
  headerBytes: 88,
} as const;
/** The hashes before those of the pages: of an Info.plist, which does not exist, and of the requirements. */
const SPECIAL_COUNT = 2;

/** Returns the signed file; `name` is what macOS calls the program in its log. Replaces a signature at its end. */
export function signMachO(unsigned: Buffer, name: string): Buffer {
  const old = commandOf(readCommands(unsigned), "signature");
  const end = old === undefined ? unsigned.length : unsigned.readUInt32LE(old.at + LINKED.offset);
  const codeBytes = Math.ceil(end / 16) * 16;
  const code = Buffer.alloc(codeBytes);
  unsigned.copy(code, 0, 0, end);

  const size = signature(code, name).length;
  const command = old ?? addLinkedCommand(code, "signature");
  code.writeUInt32LE(codeBytes, command.at + LINKED.offset);
  code.writeUInt32LE(size, command.at + LINKED.size);
  endLinkeditAt(code, codeBytes + size);
  // The pages that are hashed include the header, so it is complete before.
  return Buffer.concat([code, signature(code, name)]);
}

function signature(code: Buffer, name: string): Buffer {
  // An empty list of requirements, and the place of a certificate.
  const requirements = blob(MAGIC.requirements, Buffer.alloc(4));
  const certificate = blob(MAGIC.certificate, Buffer.alloc(0));
  const blobs = [
    { slot: SLOT.directory, bytes: codeDirectory(code, name, requirements) },
    { slot: SLOT.requirements, bytes: requirements },
    { slot: SLOT.certificate, bytes: certificate },
  ];
  const index = Buffer.alloc(4 + blobs.length * 8);
  index.writeUInt32BE(blobs.length, 0);
  let at = 8 + index.length;
  for (const [i, { slot, bytes }] of blobs.entries()) {
    index.writeUInt32BE(slot, 4 + i * 8);
    index.writeUInt32BE(at, 8 + i * 8);
    at += bytes.length;
  }
  const whole = blob(MAGIC.signature, Buffer.concat([index, ...blobs.map(({ bytes }) => bytes)]));
  return Buffer.concat([whole, Buffer.alloc((16 - (whole.length % 16)) % 16)]);
}

function codeDirectory(code: Buffer, name: string, requirements: Buffer): Buffer {
  const text = requireSegment(code, "__TEXT");
  const identifier = Buffer.from(`${name}\0`);
  const pageCount = Math.ceil(code.length / PAGE);
  const header = Buffer.alloc(DIRECTORY.headerBytes);
  // Counted backwards from the hashes of the pages, so the last comes first.
  const special = [sha256(requirements), Buffer.alloc(HASH_BYTES)];
  const hashes = header.length + identifier.length + SPECIAL_COUNT * HASH_BYTES;
  header.writeUInt32BE(MAGIC.directory, 0);
  header.writeUInt32BE(hashes + pageCount * HASH_BYTES, 4);
  header.writeUInt32BE(VERSION, DIRECTORY.version);
  header.writeUInt32BE(AD_HOC, DIRECTORY.flags);
  header.writeUInt32BE(hashes, DIRECTORY.hashes);
  header.writeUInt32BE(header.length, DIRECTORY.name);
  header.writeUInt32BE(SPECIAL_COUNT, DIRECTORY.specialCount);
  header.writeUInt32BE(pageCount, DIRECTORY.pageCount);
  header.writeUInt32BE(code.length, DIRECTORY.codeBytes);
  header.writeUInt8(HASH_BYTES, DIRECTORY.hashBytes);
  header.writeUInt8(SHA256, DIRECTORY.hashType);
  header.writeUInt8(PAGE_BITS, DIRECTORY.pageBits);
  header.writeBigUInt64BE(BigInt(text.offset), DIRECTORY.textOffset);
  header.writeBigUInt64BE(BigInt(text.size), DIRECTORY.textSize);
  header.writeBigUInt64BE(MAIN_PROGRAM, DIRECTORY.textFlags);
  return Buffer.concat([header, identifier, ...special, ...pageHashes(code, PAGE)]);
}

/** The reason why macOS would reject the signature; undefined if it is valid. */
export function signatureProblem(file: Buffer): string | undefined {
  const command = commandOf(readCommands(file), "signature");
  if (command === undefined) return "it is not signed";
  const start = file.readUInt32LE(command.at + LINKED.offset);
  const { offset, size } = requireSegment(file, "__LINKEDIT");
  const end = start + file.readUInt32LE(command.at + LINKED.size);
  if (end !== file.length || offset + size !== end) return "its signature is not at its end";
  // The directory is the first blob of ours, and of Apple's tools.
  const directory = file.subarray(start + file.readUInt32BE(start + 16));
  if (directory.readUInt32BE(0) !== MAGIC.directory) return "its signature has no code directory";
  if (directory.readUInt32BE(DIRECTORY.codeBytes) !== start)
    return "its signature does not cover all of it";
  const hashes = directory.readUInt32BE(DIRECTORY.hashes);
  // Apple's tools take pages of 4 or 16 KiB.
  const page = 2 ** directory.readUInt8(DIRECTORY.pageBits);
  const differing = pageHashes(file.subarray(0, start), page).findIndex((hash, i) => {
    const at = hashes + i * HASH_BYTES;
    return !hash.equals(directory.subarray(at, at + HASH_BYTES));
  });
  return differing === -1 ? undefined : `its signature does not fit page ${differing}`;
}

/** The hash of each page; the last page may be shorter. */
function pageHashes(code: Buffer, page: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(code.length / page) }, (_, i) =>
    sha256(code.subarray(i * page, (i + 1) * page)),
  );
}

function blob(magic: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(magic, 0);
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
