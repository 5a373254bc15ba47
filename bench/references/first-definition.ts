// node bench/references/first-definition.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--misses]: is the first answer of
// find_symbol the definition that a use means? Asks for the name alone, with the file of the use, and with its line, for the
// uses in samples/. Indexes each tree with SVC_BIN or dist/svc.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import * as v from "valibot";

import { withIndexed } from "../ask-program.ts";
import { mirrorDirectory } from "../quality/mirror.ts";
import { share, table } from "../quality/table.ts";
import { writeTree } from "./checkout.ts";
import { readSample, SAMPLED, type SampledUse } from "./score-samples.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: SAMPLED.map(({ name }) => name).join(",") },
    misses: { type: "boolean", default: false },
  },
});

const RESULT = v.object({ content: v.array(v.object({ text: v.string() })) });
/** `path:12-40` behind the signature. */
const PLACE = /\s\s(\S+):(\d+)-(\d+)(?=\s\s|\s\(|\sin\s|$)/;
const HINTS = {
  "the name": () => ({}),
  "its file": ({ path }: SampledUse) => ({ near: path }),
  "its line": ({ path, line }: SampledUse) => ({ near: `${path}:${line}` }),
} as const;

const rows: (readonly (string | number)[])[] = [];
for (const { name, repository, commit } of SAMPLED) {
  if (!values.only.split(",").includes(name)) continue;
  const root = join(values.cache, "trees", `${name}-${commit.slice(0, 10)}`);
  if (!existsSync(root)) writeTree(mirrorDirectory(values.mirrors, repository), commit, root);
  const uses = readSample(name);
  // oxlint-disable-next-line no-await-in-loop -- one tree after the other
  const right = await withIndexed(root, async (call) => {
    const ask = async (use: SampledUse, hint: object): Promise<boolean> =>
      isMeant(use, await call("find_symbol", { name: use.name, limit: 1, ...hint }));
    const counts: number[] = [];
    for (const [title, hint] of Object.entries(HINTS)) {
      let count = 0;
      for (const use of uses) {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        const isFirst = await ask(use, hint(use));
        if (isFirst) count += 1;
        else if (values.misses) console.log(`${title}: ${use.name} ${use.path}:${use.line}`);
      }
      counts.push(count / uses.length);
    }
    return counts;
  });
  rows.push([name, uses.length, ...right.map((one) => share(one) ?? "-")]);
}
console.log(table(["language", "uses", ...Object.keys(HINTS)], rows));

/** Whether the first definition of an answer has a line of the right one, or of a further declaration of it. */
function isMeant({ target, also = [] }: SampledUse, result: unknown): boolean {
  const text = v.parse(RESULT, result).content[0]?.text ?? "";
  const [, path = "", start = "0", end = "0"] = PLACE.exec(text.split("\n")[0] ?? "") ?? [];
  return [target, ...also].some((place) => {
    const at = place.lastIndexOf(":");
    const line = Number(place.slice(at + 1));
    return place.slice(0, at) === path && Number(start) <= line && line <= Number(end);
  });
}
