// docs/benchmarks.md: svc compared with other tools, from the figures of one run.
import type { Comparison, CorpusFigures } from "../../bench/rivals/compare/measured.ts";
import { amountOf, MEASURES, type Measure } from "./benchmark-measures.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";

/** A figure within this factor of svc's counts as equal: one run is not more precise. */
const SAME = 1.1;

export function benchmarksPage(comparison: Comparison): string {
  const { date, machine, load, seconds, tools, skipped, corpora } = comparison;
  const [start, end] = load;
  return markdownPage("docs/benchmarks.json", [
    "# Benchmarks",
    "This page compares svc with other local code search tools: the same corpora and questions, in turn, in one run. Compare figures within one table only, because another machine gives other times. The number in brackets is the multiple of svc's figure.",
    "![Bars for each figure on the larger corpus](images/benchmarks.svg)",
    codeBlock(
      "npm run bench:rivals                # print the figures\nnpm run bench:rivals -- --publish   # write them to this page; then npm run gen && npm run fix",
      "sh",
    ),
    `Conditions: ${date}, ${machine}, ${seconds} s in total. The load average (processes that wanted a core) was ${start} at the start and ${end} at the end. The run itself causes 1 to 2 of it; a higher load means that other work ran at the same time.`,
    "## Tools",
    [
      ...tools.map(({ name, version, form }) => `- **${name}** ${version}. Query: ${form}.`),
      ...skipped.map(({ name, reason }) => `- Without **${name}**: ${reason}.`),
    ].join("\n"),
    "Each tool has its default settings and its own copy of the corpus. codegraph runs without its daemon, telemetry and update check. ripgrep also reads hidden files, because svc does.",
    ...corpora.flatMap(corpusSections),
    "## Definitions",
    FIGURES,
    "## Notes",
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

/** The measures in which another tool is ahead of svc: which one, and by how much. */
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
  return lines.length === 0 ? [] : ["Other tools are ahead of svc in:", lines.join("\n")];
}

function ownOf(measure: Measure, tools: CorpusFigures["tools"]): number | null {
  const own = tools.find(({ tool }) => tool === "svc");
  return own === undefined ? null : measure.of(own);
}

function timesOf(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2);
}

const FIGURES = `- **index time**: from an empty folder to a complete index; median of the rounds, with files in the system's cache.
- **index size**: the files that must stay on disk.
- **peak memory**: of all processes of a tool together; the maximum of indexing and of one query in a shell.
- **cold query**: a new process for each question, until it exits.
- **query**: a question to a running server over MCP, for tools that have one (svc, codegraph); for the others, the same as a cold query.
- **recall of 10 files**: the share of the right files that are among the first ten files of the answer.
- **mean reciprocal rank**: the mean of 1/n, where n is the position of the first right file.
- **right file first**: the share of questions whose first file is right.`;

const REMARKS = `- **ripgrep** needs no index and is never out of date. No other tool is better at finding a known string. It does not rank files; we rank them as a careful agent would: by the words of the question that they contain, with more weight for rare words.
- **codesearch** gives the same answers from a trigram index, which it builds in a fraction of svc's time. It pays off on trees of many gigabytes, larger than these.
- **universal-ctags** reads only names of definitions, writes its index in a fraction of the time, and knows far more languages than svc has grammars.
- **probe** also has no index: it reads and parses the files for each question, and is always up to date.
- **codegraph** has the same purpose as svc. It shows code that belongs together instead of ranking files; [the comparison](compared.md) asks it about callers.
- The questions were written by others ([origin](../bench/quality/questions/NOTICE.md)), but svc's ranking was trained on questions of this benchmark, including these. [Ranking](ranking.md#what-each-signal-is-worth) has the same measures for repositories that svc was not trained on. The questions are in words; ctags is not made for them.
- svc stores vectors, names and uses in addition to words, and checks for changed files on each query in a shell. Index time, index size and cold queries include that.`;
