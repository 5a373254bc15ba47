// Names of definitions in most languages, found in plain text and without svc.
import { readFileSync } from "node:fs";

import { pick, seededRandom } from "./quality/random.ts";

const DEFINITION =
  /^[ \t]*(?:(?:export|public|protected|private|static|final|abstract|async|default|pub(?:\(\w+\))?)\s+)*(?:class|interface|function|def|func|fn|struct|enum|trait|type|record)\s+([A-Za-z_]\w{3,})/gm;
const METHOD = /^[ \t]+(?:public|protected|private)\s[\w<>[\], ]*?\b([a-z]\w{3,})\(/gm;
export const CODE = /\.(?:ts|js|py|go|java|kt|rs|c|h|cc|cpp|cs|php|rb)$/;

/** One name from each file, until there are enough. */
export function namesIn(files: readonly string[], count: number): readonly string[] {
  const random = seededRandom("names");
  const names = new Set<string>();
  for (const file of files) {
    if (names.size >= count) break;
    const text = readFileSync(file, "utf8");
    const found = [DEFINITION, METHOD].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ([, name = ""]) => name),
    );
    const name = pick(found, random);
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
