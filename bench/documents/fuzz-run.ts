// Indexes a project of code, intact documents and mutated ones with the program, and checks that all but the mutated
// ones are found.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  DOCUMENT_EXTENSIONS,
  documentFormatOf,
} from "../../src/base/documents/document-formats.ts";
import { homesIn, runSvcAt, type Environment } from "../workspace.ts";
import type { ManifestEntry } from "./manifest.ts";
import { mutatedDocument, readSeeds, type FORMATS } from "./mutated.ts";

interface RunOptions {
  readonly svc: string;
  readonly documents: string;
  readonly manifest: readonly ManifestEntry[];
  /** An empty folder. */
  readonly work: string;
  readonly formats: readonly (typeof FORMATS)[number][];
}

const MUTATED = 20;

/** Returns a sentence for each file that is not found. */
export function checkRun({
  svc,
  documents,
  manifest,
  work,
  formats,
}: RunOptions): readonly string[] {
  const root = join(work, "fuzzed");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "intact.js"), "export function intactNeighbour() {\n  return 1;\n}\n");
  const seeds = readSeeds(documents, manifest);
  const intact: string[] = [];
  for (const format of formats) {
    const [extension = ""] = DOCUMENT_EXTENSIONS[format].split(" ");
    for (let index = 0; index < MUTATED; index += 1) {
      const { bytes } = mutatedDocument(format, index, seeds);
      writeFileSync(join(root, `${format}-${index}.${extension}`), bytes);
    }
    const entry = manifest.find(({ file }) => documentFormatOf(file) === format);
    if (entry === undefined) continue;
    const name = `intact-${format}.${entry.file.slice(entry.file.lastIndexOf(".") + 1)}`;
    cpSync(join(documents, entry.file), join(root, name));
    intact.push(name);
  }
  const env = homesIn(work)();
  runSvcAt(svc, ["index", root], env);
  return ["intact.js", ...intact].flatMap((name) =>
    isRead({ svc, root, env }, name) ? [] : [`${name} is not read next to mutated documents`],
  );
}

function isRead(
  { svc, root, env }: { readonly svc: string; readonly root: string; readonly env: Environment },
  name: string,
): boolean {
  try {
    return runSvcAt(svc, ["read", join(root, name)], env).trim() !== "";
  } catch {
    return false;
  }
}
