// The parts of a Windows executable that packing changes: its certificate and its checksum.
// Layout: "PE Format" of Microsoft.

const HEADER_POINTER = 0x3c;
/** Of the optional header, from the start of the PE header. */
const OPTIONAL = 24;
const PE32_PLUS = 0x20b;
/** Offsets in the optional header. */
const FIELD = { checksum: 64, directoryCount: 108, certificate: 112 + 4 * 8 } as const;

/** Where the optional header starts. Throws for another format. */
function optionalHeader(file: Buffer): number {
  const header = file.length > HEADER_POINTER + 4 ? file.readUInt32LE(HEADER_POINTER) : file.length;
  const at = header + OPTIONAL;
  if (
    file.length < at + FIELD.certificate + 8 ||
    file.toString("latin1", header, header + 4) !== "PE\0\0" ||
    file.readUInt16LE(at) !== PE32_PLUS
  )
    throw new Error("it is not a 64-bit Windows executable");
  return at;
}

/** Where its certificates are in the file; size 0 without one. */
export function certificateOf(file: Buffer): { readonly offset: number; readonly size: number } {
  const at = optionalHeader(file) + FIELD.certificate;
  return { offset: file.readUInt32LE(at), size: file.readUInt32LE(at + 4) };
}

/** The file without its certificate, which no longer fits when a program is added. */
export function withoutCertificate(original: Buffer): Buffer {
  const { offset, size } = certificateOf(original);
  if (size === 0) return original;
  if (offset + size !== original.length)
    throw new Error("its certificate is not at the end of the file");
  const file = Buffer.from(original.subarray(0, offset));
  file.fill(
    0,
    optionalHeader(file) + FIELD.certificate,
    optionalHeader(file) + FIELD.certificate + 8,
  );
  return file;
}

/** Sets the checksum of the header, in place. */
export function writeChecksum(file: Buffer): void {
  file.writeUInt32LE(checksumOf(file), optionalHeader(file) + FIELD.checksum);
}

export function recordedChecksum(file: Buffer): number {
  return file.readUInt32LE(optionalHeader(file) + FIELD.checksum);
}

/** The sum of all 16-bit words, with the carry added, and the length; the recorded checksum counts as 0. */
export function checksumOf(file: Buffer): number {
  const skipped = optionalHeader(file) + FIELD.checksum;
  let sum = 0;
  for (let at = 0; at < file.length; at += 2) {
    if (at >= skipped && at < skipped + 4) continue;
    sum += at + 1 < file.length ? file.readUInt16LE(at) : file.readUInt8(at);
    if (sum > 0xffff) sum -= 0xffff;
  }
  return sum + file.length;
}
