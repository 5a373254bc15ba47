// Checks that a file is an executable of its platform that contains the program: the only possible check of one
// that cannot run here.
import { certificateOf, checksumOf, recordedChecksum } from "./formats/pe.ts";
import { signatureProblem } from "./formats/sign-mach-o.ts";
import type { ReleaseTarget } from "./targets.ts";

/** Node looks for the digit after it: 1 in an executable that contains a program. */
const FUSE = ["NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2", ":"].join("");
/** First bytes of the data that Node reads: its magic number, little-endian. */
const BLOB_MAGIC = Buffer.from([0x20, 0xda, 0x43, 0x01]);

const MACHINES = { elf: { x64: 62, arm64: 183 }, pe: { x64: 0x8664, arm64: 0xaa64 } } as const;
const MACH_O = { magic: 0xfeedfacf, x64: 0x01000007, arm64: 0x0100000c } as const;

const MIN_HEADER_BYTES = 0x40;

const HEADERS: Readonly<
  Record<ReleaseTarget["platform"], (bytes: Buffer, arch: ReleaseTarget["arch"]) => boolean>
> = {
  linux: (bytes, arch) =>
    bytes.toString("latin1", 0, 4) === "\u007fELF" && bytes.readUInt16LE(18) === MACHINES.elf[arch],
  win32: (bytes, arch) => {
    const header = bytes.readUInt32LE(0x3c);
    return (
      bytes.toString("latin1", 0, 2) === "MZ" &&
      bytes.toString("latin1", header, header + 4) === "PE\0\0" &&
      bytes.readUInt16LE(header + 4) === MACHINES.pe[arch]
    );
  },
  darwin: (bytes, arch) =>
    bytes.readUInt32LE(0) === MACH_O.magic && bytes.readUInt32LE(4) === MACH_O[arch],
};

/** By platform: reasons for the system, or its users, to refuse a file with a correct header. */
const DETAILS: Readonly<Record<ReleaseTarget["platform"], (bytes: Buffer) => string | undefined>> =
  {
    // Node from 26 on is linked against it, and small images lack it.
    linux: (bytes) => (bytes.includes("libatomic.so") ? "it needs libatomic.so" : undefined),
    win32: (bytes) => {
      if (certificateOf(bytes).size > 0) return "it has a certificate, which does not fit it";
      return checksumOf(bytes) === recordedChecksum(bytes) ? undefined : "its checksum is wrong";
    },
    darwin: signatureProblem,
  };

/** The problems of the file, one sentence each; `sample` is a part of the program's text. */
export function formatProblems(
  bytes: Buffer,
  target: Pick<ReleaseTarget, "platform" | "arch">,
  sample: string,
): readonly string[] {
  const problems = [];
  const detail = hasHeader(bytes, target)
    ? DETAILS[target.platform](bytes)
    : `no header of ${target.platform}-${target.arch}`;
  if (detail !== undefined) problems.push(detail);
  const fuse = bytes.indexOf(FUSE);
  if (fuse === -1) problems.push("no fuse of Node");
  else if (bytes.toString("latin1", fuse + FUSE.length, fuse + FUSE.length + 1) !== "1")
    problems.push("the fuse of Node is not set: it would start as a bare Node");
  const blob = bytes.indexOf(BLOB_MAGIC);
  if (blob === -1) problems.push("no program data");
  if (!bytes.includes(sample)) problems.push("it does not contain the program");
  return problems;
}

function hasHeader(
  bytes: Buffer,
  { platform, arch }: Pick<ReleaseTarget, "platform" | "arch">,
): boolean {
  return bytes.length >= MIN_HEADER_BYTES && HEADERS[platform](bytes, arch);
}
