import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const CHECKOUT = join(import.meta.dirname, "../..");

/**
 * More bytes than a run parses at once, in files of the largest indexed size. A run counts them before it reads any,
 * and then skips them as binary. It therefore reads all other files in two stages without any long text to index.
 */
export const PADDING: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  [0, 1, 2, 3].map((at) => [`padding/${at}`, new Uint8Array(1_000_000)]),
);

/** With these, the tree has more files than a run reads without publishing their list first. */
const COPIES = 3;
/** Leaves out longer sources, and cuts documents. */
const SOURCE_LENGTH = 3200;
const DOCUMENT_LENGTH = 400;

/**
 * The shorter sources of the engine, the starts of the documents of this repository, each copy a little different, and
 * the padding.
 */
export function stagedTree(): Readonly<Record<string, string | Uint8Array>> {
  const sources = Object.entries(read("src/engine", ".ts"));
  const documents = Object.entries(read("docs", ".md"));
  const copies = Array.from({ length: COPIES }, (_, copy) =>
    documents.map(([path, text]) => [
      `copy${copy}/${path}`,
      `Copy number${copy} of ${path}.\n\n${text.slice(0, DOCUMENT_LENGTH)}`,
    ]),
  );
  return {
    ...Object.fromEntries(sources.filter(([, text]) => text.length < SOURCE_LENGTH)),
    ...Object.fromEntries(copies.flat()),
    ...PADDING,
  };
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
