// The cost of the first index: until searches find words, and until the end.
import { rmSync } from "node:fs";
import { join } from "node:path";

import { toFilePath } from "../../src/base/path-bytes.ts";
import { plainScan } from "../reference.ts";
import { dataDirectoryOf, runSvc, withToken, type Environment } from "../workspace.ts";
import { comparedWith, figure, peer, repeated, type Figure } from "./figure.ts";
import type { IndexInput, StageTimes } from "./index-script.ts";
import { runScript } from "./processes.ts";
import { absolutePaths, openTree, type Extent, type IndexedTree, type Tree } from "./tree.ts";

const INDEX_SCRIPT = join(import.meta.dirname, "index-script.ts");
/** Above this size, the reference reads the tree only twice. */
const BIG_BYTES = 100e6;

interface Build {
  readonly env: Environment;
  readonly stages: StageTimes;
}

/** Also returns the tree with the index of the last round, for the queries of other measures. */
export async function firstIndex(
  tree: Tree,
  { hasSyntax, isSmoke }: Extent,
): Promise<{ readonly indexed: IndexedTree; readonly figures: readonly Figure[] }> {
  const limits = { times: isSmoke ? 1 : 3, withinMs: 60_000 };
  const builds = await repeated(limits, () => build(tree, hasSyntax));
  const last = builds.at(-1);
  if (last === undefined) throw new Error("nothing was built");
  for (const { env } of builds.slice(0, -1)) rmSync(env["HOME"] ?? "", { recursive: true });
  const indexed = await openTree(tree, withToken(last.env));
  requireSameIndex(indexed);
  return { indexed, figures: figuresOf(indexed, builds, hasSyntax) };
}

async function build(tree: Tree, hasSyntax: boolean): Promise<Build> {
  const env = tree.freshEnv();
  const input: IndexInput = { dataDirectory: dataDirectoryOf(env), root: tree.root, hasSyntax };
  return { env, stages: await runScript<StageTimes>(INDEX_SCRIPT, input) };
}

function figuresOf(
  tree: IndexedTree,
  builds: readonly Build[],
  hasSyntax: boolean,
): readonly Figure[] {
  // svc parses a small tree in the first stage.
  const stages = builds.map(({ stages: times }) => times.words ?? times.everything);
  const until = stages.map((times) => times?.cpuMs ?? Number.NaN);
  const all = !hasSyntax
    ? []
    : builds.map(({ stages: times }) => times.everything?.cpuMs ?? Number.NaN);
  const files = absolutePaths(tree).filter((path) => typeof toFilePath(path) === "string");
  const scan = plainScan(files, tree.textBytes > BIG_BYTES ? 1 : 3);
  const words = figure("first index, until words are found", until, {
    unit: "cpu ms",
    work: "text",
    target: "2.5 s for 60 MB",
  });
  const reference = peer(scan.name, scan.samples, words);
  const speeds = until.map((cpuMs) => tree.textBytes / 1000 / cpuMs);
  const everything = figure("first index, with syntax", all, { unit: "cpu ms", work: "text" });
  return [
    comparedWith(words, reference),
    reference,
    figure("first index, speed of words", speeds, {
      unit: "MB/cpu s",
      work: "nothing",
      isBetterHigher: true,
      target: "at least 40",
    }),
    comparedWith(everything, reference),
  ];
}

/** The sources made the index; an executable of other sources would rebuild it. */
function requireSameIndex({ root, env, paths }: IndexedTree): void {
  const { added, changed }: { added: number; changed: number } = JSON.parse(
    runSvc(["index", root, "--json"], env),
  );
  // Someone may edit the tree meanwhile.
  if (added + changed <= paths.length / 2) return;
  throw new Error("dist/svc is not of these sources. Run `npm run build`.");
}
