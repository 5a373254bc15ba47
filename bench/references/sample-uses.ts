// node bench/references/sample-uses.ts --root DIR --language NAME [--count N]
// Random names of a work tree, one JSON object a line, as `{path, line, column, name}`: the samples of
// samples/ were chosen from them. The same ones in every run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import { filesBelow } from "../workspace.ts";
import { occurrencesIn } from "./occurrences.ts";
import { shuffled } from "./sample.ts";

const ENDINGS: Readonly<Record<string, string>> = {
  go: ".go",
  java: ".java",
  python: ".py",
  rust: ".rs",
};

const { values } = parseArgs({
  options: {
    root: { type: "string", default: "." },
    language: { type: "string", default: "python" },
    count: { type: "string", default: "1000" },
  },
});
const { root, language } = values;
const grammars = await packedGrammars();
const paths = filesBelow(root)
  .map((file) => file.slice(root.length + 1))
  .filter((path) => path.endsWith(ENDINGS[language] ?? language))
  .toSorted();
const all = paths.flatMap((path) =>
  occurrencesIn(grammars, language, readFileSync(join(root, path), "utf8")).map((occurrence) => ({
    path,
    ...occurrence,
  })),
);
for (const one of shuffled(all, `uses-1\0${language}`).slice(0, Number(values.count))) {
  console.log(JSON.stringify(one));
}
