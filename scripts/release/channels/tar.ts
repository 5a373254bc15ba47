// Tar archives in the ustar format whose bytes depend only on their entries: not on a clock, an account or the order on
// a disk.

export interface TarEntry {
  /** With `/`, relative, without one at its end. */
  readonly path: string;
  readonly mode: number;
  /** A file has content, a link has a target, a folder has neither. */
  readonly content?: Uint8Array;
  readonly target?: string;
  /** The account that owns it, by number; root by default. */
  readonly owner?: number;
}

const BLOCK = 512;
const MAX_NAME = 100;
const MAX_PREFIX = 155;

/** The archive of the entries in the given order, all with the same time in seconds. */
export function tarOf(entries: readonly TarEntry[], time: number): Buffer {
  const parts = entries.flatMap((entry) => {
    const { content = new Uint8Array(0) } = entry;
    return [header(entry, time), content, Buffer.alloc(padding(content.length))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Adds an entry for each folder above the entries that the list lacks, and sorts by path. */
export function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries) {
    const words = path.split("/").slice(0, -1);
    for (const [index] of words.entries()) {
      const folder = words.slice(0, index + 1).join("/");
      if (!byPath.has(folder)) byPath.set(folder, { path: folder, mode: 0o755 });
    }
  }
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function header({ path, mode, content, target, owner = 0 }: TarEntry, time: number): Buffer {
  const type = content !== undefined ? "0" : target !== undefined ? "2" : "5";
  const { name, prefix } = split(type === "5" ? `${path}/` : path);
  if (target !== undefined && target.length > MAX_NAME)
    throw new Error(`the target of ${path} is too long for a tar archive`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(owner, 7), 108);
  block.write(octal(owner, 7), 116);
  block.write(octal(content?.length ?? 0, 11), 124);
  block.write(octal(time, 11), 136);
  // The sum is computed with spaces in its place.
  block.write(" ".repeat(8), 148);
  block.write(type, 156);
  block.write(target ?? "", 157);
  block.write("ustar\x0000", 257, "latin1");
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

/** A longer path is cut at a slash. */
function split(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= MAX_NAME) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    const fits = Buffer.byteLength(name) <= MAX_NAME && Buffer.byteLength(prefix) <= MAX_PREFIX;
    if (fits && name !== "") return { name, prefix };
  }
  throw new Error(`${path} is too long for a tar archive`);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}
