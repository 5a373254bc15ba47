// The cost of the first page of search_text on a warm server, compared with ripgrep on the same tree, for the same
// lines and for all lines.
import { rgPath } from "@vscode/ripgrep";
import { join } from "node:path";

import { median } from "../report.ts";
import { timed } from "../timed-child.ts";
import { comparedWith, figure, peer, repeated, type Figure } from "./figure.ts";
import type { AskInput } from "./ask-script.ts";
import { FOUND_NOWHERE, WITH_LITERAL, WITHOUT_LITERAL } from "./generic-questions.ts";
import { runScript } from "./processes.ts";
import type { Extent, IndexedTree } from "./tree.ts";

const ASK_SCRIPT = join(import.meta.dirname, "ask-script.ts");
const PAGE = 50;
/** The files that svc searches, as far as ripgrep's options can express them. */
const SAME_FILES = "--no-config --hidden --glob=!.git --max-filesize=1M --no-messages --no-heading";

interface Group {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly target?: string;
}

const GROUPS: readonly Group[] = [
  { name: "text, with a literal", patterns: WITH_LITERAL, target: "20 ms for 1 GB" },
  { name: "text, without a literal", patterns: WITHOUT_LITERAL, target: "150 ms for 1 GB" },
  { name: "text, without a literal, found nowhere", patterns: FOUND_NOWHERE },
];

export async function textSearch(tree: IndexedTree, extent: Extent): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const group of GROUPS) {
    figures.push(...(await groupFigures(tree, extent, group)));
  }
  return figures;
}

async function groupFigures(
  tree: IndexedTree,
  { isSmoke }: Extent,
  { name, patterns, target }: Group,
): Promise<readonly Figure[]> {
  const { dataDirectory, namespace, sources } = tree;
  const rounds = isSmoke ? 1 : 5;
  const input: AskInput = {
    kind: "regex",
    dataDirectory,
    namespace,
    sources,
    questions: patterns,
    rounds,
    limit: PAGE,
  };
  const lists = await runScript<readonly (readonly number[])[]>(ASK_SCRIPT, input);
  const own = lists.map(median);
  // A pipe ends ripgrep as soon as the page is full; only one thread keeps the order of paths.
  const page = await ripgrep(tree, patterns, `--sort=path -n -e "$1" . | head -n ${PAGE}`);
  const all = await ripgrep(tree, patterns, '--count -e "$1" .');
  const typical = figure(name, own, { unit: "cpu ms", work: "text", target });
  const slowest = figure(`${name}, slowest`, [Math.max(...own)], { unit: "cpu ms", work: "text" });
  const samePage = peer("ripgrep, the same page", page, typical);
  const sameSlowest = peer("ripgrep, the same page", [Math.max(...page)], slowest);
  const everything = peer("ripgrep, every line", all, typical);
  if (patterns.length === 1) return [comparedWith(typical, samePage), samePage, everything];
  return [
    comparedWith(typical, samePage),
    samePage,
    everything,
    comparedWith(slowest, sameSlowest),
    sameSlowest,
  ];
}

/** Processor time of each pattern, minus that of the surrounding shell. */
async function ripgrep(
  { root, env }: IndexedTree,
  patterns: readonly string[],
  rest: string,
): Promise<readonly number[]> {
  const cpuMs = async (program: string, pattern: string): Promise<number> => {
    const command = `cd "$2" && "$3" ${SAME_FILES} ${rest} || true`;
    const words = ["bash", "-c", command, "bench", pattern, root, program];
    const usages = await repeated({ times: 3, withinMs: 5000 }, () => timed(words, { env }));
    return median(usages.map((usage) => usage.cpuMs));
  };
  const shell = await cpuMs("true", "");
  const times: number[] = [];
  for (const pattern of patterns) {
    times.push((await cpuMs(rgPath, pattern)) - shell);
  }
  return times;
}
