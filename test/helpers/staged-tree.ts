import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const CHECKOUT = join(import.meta.dirname, "../..");
/** Files larger than this are first read for their words. */
const STAGED_BYTES = 3 << 20;

/**
 * The sources of the engine, once, and the documentation of this repository so often that it is more than is parsed at
 * once, each copy a little different.
 */
export function stagedTree(): Readonly<Record<string, string>> {
  const sources = read("src/engine", ".ts");
  const documents = read("docs", ".md");
  const files: Record<string, string> = { ...sources };
  let bytes = sizeOf(sources);
  for (let copy = 0; bytes <= STAGED_BYTES; copy += 1) {
    for (const [path, text] of Object.entries(documents)) {
      files[`copy${copy}/${path}`] = `Copy number${copy} of ${path}.\n\n${text}`;
    }
    bytes += sizeOf(documents);
  }
  return files;
}

function read(folder: string, end: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(join(CHECKOUT, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(end))
      .map(({ parentPath, name }) => {
        const place = join(parentPath, name);
        return [relative(CHECKOUT, place), readFileSync(place, "utf8")];
      }),
  );
}

function sizeOf(files: Readonly<Record<string, string>>): number {
  return Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
