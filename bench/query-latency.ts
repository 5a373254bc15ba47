// Measures the time of a question over MCP on a warm server.
import { spawn } from "node:child_process";

import { rgPath } from "@vscode/ripgrep";

import { QUESTIONS, RANGES, REGULAR_EXPRESSIONS, TEXTS } from "./questions.ts";
import { plainScan } from "./reference.ts";
import { comparedWith, type Report, type Row } from "./report.ts";
import { lineClient, runningCpuMs, timed, type LineClient } from "./timed-child.ts";
import { SVC, type Workspace } from "./workspace.ts";

interface Timings {
  /** Milliseconds from the request to its reply, all rounds. */
  readonly wall: readonly number[];
  /** Processor time of the server, the mean of each round; empty without /proc. */
  readonly cpu: readonly number[];
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export async function queryLatency(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const { root, env } = workspace;
  const child = spawn(SVC, ["mcp", "--stdio", "--root", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  await client.request("initialize", { clientInfo: { name: "bench" } });
  const rounds = isSmoke ? 1 : 5;
  const ask = (calls: (round: number) => readonly Call[]): Promise<Timings> =>
    measure({ client, pid: child.pid ?? 0, rounds }, calls);

  // A smoke test runs a few of the slow ones.
  const some = (list: readonly string[]): readonly string[] => (isSmoke ? list.slice(0, 4) : list);
  // Another limit in each round, because a cached answer would not measure a query.
  const context = await ask((round) =>
    QUESTIONS.map((query) => call("search_context", { query, limit: 10 + round })),
  );
  const texts = some(TEXTS).map((pattern) => ({ pattern }));
  const expressions = some(REGULAR_EXPRESSIONS).map((pattern) => ({ pattern, regex: true }));
  const pages = (calls: readonly Call["input"][]): Promise<Timings> =>
    ask((round) => calls.map((input) => call("search_text", { ...input, limit: 50 + round })));
  const counts = (calls: readonly Call["input"][]): Promise<Timings> =>
    ask((round) =>
      calls.map((input) => call("search_text", { ...input, output: "count", limit: 50 + round })),
    );
  const literal = await pages(texts);
  const literalCount = await counts(texts);
  const regex = await pages(expressions);
  const regexCount = await counts(expressions);
  const read = await ask((round) =>
    RANGES.map((target) => call("read_context", { targets: [target], max_tokens: 2000 + round })),
  );
  await client.close();

  const ripgrep = (mode: readonly string[], patterns: readonly string[]): Promise<Timings> =>
    askRipgrep({ root, env, rounds }, mode, some(patterns));
  const literalScan = await ripgrep(["--fixed-strings", "--count"], TEXTS);
  const literalPage = await ripgrep(["--fixed-strings", "--max-count=50"], TEXTS);
  const regexScan = await ripgrep(["--count"], REGULAR_EXPRESSIONS);
  const regexPage = await ripgrep(["--max-count=50"], REGULAR_EXPRESSIONS);

  const scan = plainScan(workspace.files, 9);
  return {
    bench: "query-latency",
    corpus: `${workspace.corpus}, indexed; ${QUESTIONS.length} questions, ${rounds} rounds`,
    rows: [
      scan,
      ...rows("search_context", context, scan).map((row) =>
        row.unit === "ms" ? { ...row, target: "median under 10 ms, p95 under 50 ms" } : row,
      ),
      ...rows("search_text, literal", literal, scan),
      ...rows("search_text, literal, count", literalCount, scan),
      ...rows("ripgrep, literal, -m 50", literalPage, scan),
      ...rows("ripgrep, literal, -c", literalScan, scan),
      ...rows("search_text, regex", regex, scan),
      ...rows("search_text, regex, count", regexCount, scan),
      ...rows("ripgrep, regex, -m 50", regexPage, scan),
      ...rows("ripgrep, regex, -c", regexScan, scan),
      ...rows("read_context", read, scan),
    ],
    facts: [],
  };
}

function call(name: string, input: Call["input"]): Call {
  return { name, input };
}

interface Server {
  readonly client: LineClient;
  readonly pid: number;
  readonly rounds: number;
}

/** One round more than is counted: the first opens the index and compiles. */
async function measure(
  { client, pid, rounds }: Server,
  calls: (round: number) => readonly Call[],
): Promise<Timings> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = runningCpuMs(pid);
    const ofRound = calls(round);
    for (const { name, input } of ofRound) {
      const from = performance.now();
      await client.request("tools/call", { name, arguments: input });
      if (round > 0) wall.push(performance.now() - from);
    }
    const after = runningCpuMs(pid);
    if (round > 0 && before !== undefined && after !== undefined) {
      cpu.push((after - before) / ofRound.length);
    }
  }
  return { wall, cpu };
}

/** The same patterns in ripgrep, ignoring case, with one process each, over all text files of the root. */
async function askRipgrep(
  { root, env, rounds }: Pick<Workspace, "root" | "env"> & { readonly rounds: number },
  mode: readonly string[],
  patterns: readonly string[],
): Promise<Timings> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const pattern of patterns) {
      const words = ["--no-config", "--ignore-case", ...mode, "--regexp", pattern, root];
      // ripgrep ends with 1 if it finds nothing, which is a valid answer.
      const command = ["bash", "-c", '"$@" > /dev/null || true', "rg", rgPath, ...words];
      const usage = await timed(command, { env });
      wall.push(usage.wallMs);
      cpu.push(usage.cpuMs);
    }
  }
  return { wall, cpu };
}

function rows(name: string, { wall, cpu }: Timings, scan: Row): readonly Row[] {
  return [
    comparedWith({ name, unit: "ms", samples: wall }, scan),
    comparedWith(
      {
        name: `${name}, ${name.startsWith("ripgrep") ? "process" : "server"}`,
        unit: "cpu ms",
        samples: cpu,
      },
      scan,
    ),
  ];
}
