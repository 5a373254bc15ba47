// docs/benchmarks.md: svc beside other tools, from the figures of one run.
import type { Comparison, CorpusFigures } from "../../bench/rivals/compare/measured.ts";
import { amountOf, MEASURES, type Measure } from "./benchmark-measures.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";

/** A figure within this factor of svc's is the same: a machine is not more exact. */
const SAME = 1.1;

export function benchmarksPage(comparison: Comparison): string {
  const { date, machine, load, seconds, tools, skipped, corpora } = comparison;
  const [start, end] = load;
  return markdownPage("docs/benchmarks.json", [
    "# Benchmarks",
    "svc beside other tools that find code on your own machine: the same corpora, the same questions, in turn, in one run. Compare figures of one table with each other: what is seconds here is something else on another machine, so each has its multiple of svc's in brackets.",
    "![Bars for each figure on the larger corpus](images/benchmarks.svg)",
    codeBlock(
      "npm run bench:rivals                # prints the figures\nnpm run bench:rivals -- --publish   # makes them those of this page; then npm run gen && npm run fix",
      "sh",
    ),
    `Conditions: ${date}, ${machine}, ${seconds} s for everything. Load, processes that wanted a core: ${start} at the start and ${end} at the end, of which the run itself is 1 to 2; with more, other work ran beside it.`,
    "## Tools",
    markdownTable(
      ["tool", "version", "is asked"],
      tools.map(({ name, version, form }) => [name, version, form]),
    ),
    skipped.map(({ name, reason }) => `- Without ${name}: ${reason}.`).join("\n"),
    "Each works with its default settings, on a copy of its own. codegraph without a daemon, telemetry and the look for updates; ripgrep with hidden files, as svc reads those too.",
    ...corpora.flatMap(corpusSections),
    "## What the figures are",
    FIGURES,
    "## How to read them",
    REMARKS,
  ]);
}

function corpusSections(corpus: CorpusFigures): readonly string[] {
  const { id, github, commit, files, bytes, questions, tools } = corpus;
  const name = id[0]?.toUpperCase() + id.slice(1);
  const size = `${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${questions} questions`;
  return [
    `## ${name}`,
    `[${github}](https://github.com/${github}) at \`${commit.slice(0, 10)}\`: ${size}.`,
    markdownTable(
      ["", ...tools.map(({ tool }) => tool)],
      MEASURES.map((measure) => rowOf(measure, corpus)),
    ),
    ...ahead(corpus),
  ];
}

function rowOf(measure: Measure, { tools }: CorpusFigures): readonly string[] {
  const own = ownOf(measure, tools);
  const cells = tools.map((tool) => {
    const value = measure.of(tool);
    const text = amountOf(measure, value);
    if (tool.tool === "svc" || value === null || own === null) return text;
    return measure.unit === "share" ? text : `${text} (${timesOf(value / own)})`;
  });
  return [measure.name, ...cells];
}

/** Where svc is not the best: who is, and by how much. */
function ahead({ tools }: CorpusFigures): readonly string[] {
  const lines = MEASURES.flatMap((measure) => {
    const own = ownOf(measure, tools);
    const others = tools.flatMap((tool) => {
      const value = measure.of(tool);
      if (value === null || own === null || tool.tool === "svc") return [];
      const lead = measure.isMoreBetter === true ? value / own : own / value;
      return lead > SAME ? [{ tool: tool.tool, lead }] : [];
    });
    if (others.length === 0) return [];
    const named = others
      .toSorted((one, other) => other.lead - one.lead)
      .map(({ tool, lead }) => `${tool} (${timesOf(lead)} times)`);
    return [`- ${measure.name}: ${named.join(", ")}`];
  });
  return lines.length === 0 ? [] : ["Ahead of svc:", lines.join("\n")];
}

function ownOf(measure: Measure, tools: CorpusFigures["tools"]): number | null {
  const own = tools.find(({ tool }) => tool === "svc");
  return own === undefined ? null : measure.of(own);
}

function timesOf(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2);
}

const FIGURES = `- **index**: from nothing, median of the rounds, files in the system's cache. On disk is what has to stay.
- **memory at most**: of all processes of a tool together, the most of indexing and of one answer at a shell.
- **start to answer**: a new process for each question, to its end.
- **question**: of a server that runs, over MCP, where the tool is one (svc, codegraph); for the others the same as start to answer.
- **recall of 10 files**: the share of the right files among the first ten that the answer names. **Mean reciprocal rank**: 1 where the first file is right, 1/2 where the second is the first right one, and so on.`;

const REMARKS = `- **ripgrep** needs no index, is never out of date, and nothing is better at finding a string that you know. It puts files into no order; the order here is ours, as a careful agent would make it: files by the words of the question that they hold, rare ones counting more.
- **codesearch** answers the same from an index of trigrams, made in a fraction of the time that svc takes; it pays on trees of many gigabytes, larger than these.
- **universal-ctags** reads names of definitions alone, writes its index in a fraction of the time, and knows far more languages than svc has grammars.
- **probe** has no index either: it reads and parses the files for each question, and is always of now.
- **codegraph** is the one that is made for the same purpose. It shows code that belongs together rather than files in an order; [compared](compared.md) asks it who calls what.
- The questions come from others ([origin](../bench/quality/questions/NOTICE.md)), but svc's ranking was learned from questions of the bench, these among them. For repositories that it was not learned from, the same measures are in [ranking](ranking.md#what-each-signal-is-worth). They are also questions in words; nobody would ask ctags them by choice.
- svc keeps vectors, names and uses beside its words, and looks for changed files with each question at a shell. That is what its index and its start cost.`;
