// node bench/maps.ts --mirrors DIR [--only gin,click] [--repomix PROGRAM]: measures how often a project map within a
// token budget names a file that answers a question. It compares `svc outline`, which does not know the question, `svc
// outline --query`, and, if its program is named, the beginning of the output of `repomix --compress`.
// The questions are those of the suite `semble` whose repositories are in DIR, as `<owner>+<name>/repo`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createLogger } from "../src/base/log.ts";
import type { OutlineResult } from "../src/engine/api/outline.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { outlineText } from "../src/engine/outline/outline-text.ts";
import { localOwner } from "../src/sources/principal.ts";
import { corpusFolder, prepareCorpora } from "./quality/prepare.ts";
import { loadLibrary, OWN_QUESTIONS, type Corpus, type Question } from "./quality/questions.ts";

const BUDGETS = [1000, 4000, 16_000];
const CHARACTERS_PER_TOKEN = 4;
const SUITE = "semble";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string" },
    only: { type: "string" },
    repomix: { type: "string" },
  },
});
if (values.mirrors === undefined)
  throw new Error("Name the folder of the repositories: --mirrors DIR");

const place = mkdtempSync(join(tmpdir(), "svc-maps-"));
const store = { folder: join(place, "corpora"), mirrors: values.mirrors };
const library = loadLibrary([OWN_QUESTIONS]);
const corpora = [...library.corpora.values()].filter(
  ({ id, github }) =>
    (values.only?.split(",").includes(id) ?? true) &&
    existsSync(join(values.mirrors ?? "", github.replace("/", "+"), "repo")) &&
    library.questions.some(({ suite, corpus }) => suite === SUITE && corpus === id),
);
const engine = createEngine({
  dataDirectory: join(place, "data"),
  home: join(place, "home"),
  logger: createLogger({
    level: "warn",
    human: true,
    write: (line) => process.stderr.write(line),
  }),
  workspace: () => place,
});
const caller = { principal: localOwner(), signal: new AbortController().signal };

/** Whether each question had a right file in the map, by map and budget. */
const found = new Map<string, boolean[]>();

function count(map: string, budget: number, isFound: boolean): void {
  const key = `${map}\t${budget}`;
  found.set(key, [...(found.get(key) ?? []), isFound]);
}

function isShown({ outline }: OutlineResult, { gold }: Question): boolean {
  const files = outline.kind === "folder" ? outline.folders.flatMap((folder) => folder.shown) : [];
  return files.some((file) => gold.some(({ path }) => path === file.path));
}

async function measure(corpus: Corpus): Promise<void> {
  const root = corpusFolder(store, corpus);
  const namespace = corpus.id;
  await engine.index({ ...caller, namespace, source: root });
  const packed = packedBy(root);
  const questions = library.questions.filter(
    ({ suite, corpus: id }) => suite === SUITE && id === corpus.id,
  );
  for (const maxTokens of BUDGETS) {
    for (const question of questions) {
      const asked = { ...caller, namespace, maxTokens };
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const [plain, focused] = await Promise.all([
        engine.outline(asked),
        engine.outline({ ...asked, query: question.query }),
      ]);
      for (const { outline } of [plain, focused]) {
        if (outlineText(outline).length > maxTokens * CHARACTERS_PER_TOKEN)
          throw new Error(`a map of ${corpus.id} is longer than ${maxTokens} tokens`);
      }
      count("svc outline", maxTokens, isShown(plain, question));
      count("svc outline --query", maxTokens, isShown(focused, question));
      if (packed === undefined) continue;
      const text = packed.slice(0, maxTokens * CHARACTERS_PER_TOKEN);
      const isFound = question.gold.some(({ path }) => text.includes(`<file path="${path}">`));
      count("repomix --compress", maxTokens, isFound);
    }
  }
}

/** The output of repomix for a folder, without its list of all files, which only names them. */
function packedBy(root: string): string | undefined {
  if (values.repomix === undefined) return undefined;
  const output = join(place, "packed.xml");
  const options = ["--compress", "--no-directory-structure", "--no-file-summary", "--quiet"];
  const { status, stderr } = spawnSync(
    values.repomix,
    [root, "--output", output, "--style", "xml", ...options],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return readFileSync(output, "utf8");
}

try {
  for (const [id, reason] of prepareCorpora(corpora, store))
    console.log(`without ${id}: ${reason}`);
  for (const corpus of corpora) {
    // oxlint-disable-next-line no-await-in-loop -- one repository after the other
    await measure(corpus);
    console.log(`${corpus.id} done`);
  }
  console.log("map                    tokens  questions  with a right file");
  for (const [key, all] of found) {
    const [map = "", budget = ""] = key.split("\t");
    const share = (all.filter(Boolean).length / all.length).toFixed(2);
    const cells = [map.padEnd(22), budget.padStart(6), String(all.length).padStart(10)];
    console.log(`${cells.join(" ")} ${share.padStart(18)}`);
  }
} finally {
  await engine.close();
  rmSync(place, { recursive: true, force: true });
}
