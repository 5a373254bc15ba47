// node bench/why.ts --mirrors DIR [--cache DIR] [--lines N] [--messages N] [--cost]
// For lines that fixed a bug: whether `list_changes` with `why` names first the commit that wrote them, compared with
// git. For commits: whether some words of their subjects find them, compared with `git log --grep`. With --cost: the
// cost of reading 60,000 commits. DIR holds bare repositories with their whole history, `owner+name/repo`. Needs `npm
// run build`.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { CommitIndexer } from "../src/engine/why/commit-indexer.ts";
import { diskCommits } from "../src/index/commits/disk-commits.ts";
import { withIndexed, type CallTool } from "./ask-program.ts";
import { keep } from "./quality/publish.ts";
import { checkout } from "./why/git.ts";
import { drawLines, otherAnswers } from "./why/lines.ts";
import { drawCommits, grepAll, grepAny, reciprocalRank } from "./why/messages.ts";
import { LARGE, REPOSITORIES } from "./why/repositories.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-why") },
    lines: { type: "string", default: "40" },
    messages: { type: "string", default: "60" },
    cost: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

type Figures = Readonly<Record<string, number>>;

interface Answer {
  readonly structuredContent?: {
    readonly commits: readonly { readonly commit: string }[];
    readonly partial?: readonly string[];
  };
}

/** The ids of the commits that svc names, in order. */
async function ask(call: CallTool, why: string): Promise<readonly string[]> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until all commits are read
    const result = await call("list_changes", { why });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as docs/tools.md describes it
    const { structuredContent: answer } = result as Answer;
    if (answer === undefined) throw new Error(`${why}: ${JSON.stringify(result)}`);
    const isReading = answer.partial?.some((one) => one.includes("ask again")) === true;
    if (!isReading) return answer.commits.map(({ commit }) => commit);
  }
}

function mean(of: readonly number[]): number {
  return of.reduce((sum, one) => sum + one, 0) / Math.max(1, of.length);
}

async function lineFigures(folder: string, call: CallTool): Promise<readonly Figures[]> {
  const rows: Figures[] = [];
  for (const fixed of drawLines(folder, Number(values.lines))) {
    const started = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for the times
    const [first] = await ask(call, `${fixed.path}:${fixed.line}`);
    const ms = performance.now() - started;
    const { log, blame } = otherAnswers(folder, fixed);
    const { fix, blamed } = fixed;
    if (values.verbose && first !== fix)
      console.log(`  ${fixed.path}:${fixed.line} fix ${fix} blamed ${blamed} svc ${first ?? ""}`);
    rows.push({
      "svc=fix": Number(first === fix),
      "log -L=fix": Number(log === fix),
      "blame=fix": Number(blame === fix),
      "blame -w -M -C=fix": Number(blamed === fix),
      "svc=blame -w -M -C": Number(first === blamed),
      "svc=log -L": Number(first === log),
      "log -L=blame -w -M -C": Number(log === blamed),
      ms,
    });
  }
  return rows;
}

async function messageFigures(folder: string, call: CallTool): Promise<readonly Figures[]> {
  const rows: Figures[] = [];
  for (const { id, words } of drawCommits(folder, Number(values.messages))) {
    const query = words.join(" ");
    const started = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for the times
    const found = await ask(call, query.includes(" ") ? query : `${query} `);
    const ms = performance.now() - started;
    if (values.verbose && found[0] !== id) console.log(`  ${query}: ${id} at ${found.indexOf(id)}`);
    rows.push({
      svc: reciprocalRank(found, id),
      "grep, all words": reciprocalRank(grepAll(folder, words), id),
      "grep, any words": reciprocalRank(grepAny(folder, words), id),
      ms,
    });
  }
  return rows;
}

function summary(rows: readonly Figures[]): Figures {
  const names = Object.keys(rows[0] ?? {});
  return {
    count: rows.length,
    ...Object.fromEntries(
      names.map((name) => [
        name,
        Math.round(mean(rows.map((row) => row[name] ?? 0)) * 1000) / 1000,
      ]),
    ),
  };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** The cost of reading all commits of a large history in this process, and of asking afterwards. */
async function costFigures(): Promise<Figures> {
  const root = checkout(LARGE, values);
  const data = mkdtempSync(join(tmpdir(), "svc-bench-why-cost-"));
  const indexer = new CommitIndexer(diskCommits(data));
  try {
    const source = { id: 1, namespace: "large", root, prefix: "", include: [], exclude: [] };
    const { signal } = new AbortController();
    let [total, firstMs, rss] = [0, 0, 0];
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    await indexer.of(
      "large",
      { ...source, addedAt: "" },
      {
        signal,
        waitMs: 3_600_000,
        onProgress: (progress) => {
          ({ total } = progress);
          if (firstMs === 0) firstMs = performance.now() - started;
          rss = Math.max(rss, process.memoryUsage.rss());
        },
      },
    );
    const { user, system } = process.cpuUsage(cpu);
    const figures = {
      commits: total,
      seconds: (performance.now() - started) / 1000,
      "processor seconds without git": (user + system) / 1e6,
      "seconds to the first commits": firstMs / 1000,
      "megabytes on disk": sizeOf(data) / 1e6,
      "megabytes of memory": rss / 1e6,
    };
    return Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10) / 10]),
    );
  } finally {
    await indexer.close();
    rmSync(data, { recursive: true, force: true });
  }
}

if (values.cost) {
  const figures = await costFigures();
  console.log(figures);
  keep("why-cost", figures);
} else {
  const kept: Record<string, { readonly lines: Figures; readonly messages: Figures }> = {};
  const [allLines, allMessages]: [Figures[], Figures[]] = [[], []];
  for (const repository of REPOSITORIES) {
    const folder = checkout(repository, values);
    // oxlint-disable-next-line no-await-in-loop -- one server at a time
    const [lines, messages] = await withIndexed(folder, async (call) => [
      await lineFigures(folder, call),
      await messageFigures(folder, call),
    ]);
    kept[repository.github] = { lines: summary(lines), messages: summary(messages) };
    console.log(repository.github, kept[repository.github]);
    allLines.push(...lines);
    allMessages.push(...messages);
  }
  kept["all"] = { lines: summary(allLines), messages: summary(allMessages) };
  console.log("all", kept["all"]);
  keep("why", { repositories: REPOSITORIES, ...kept });
}
