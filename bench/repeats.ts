// The cost of a repeated query over MCP. Each query runs once and is then repeated.
import { spawn } from "node:child_process";

import { QUESTIONS, TEXTS } from "./questions.ts";
import { comparedWith, type Report, type Row } from "./report.ts";
import { lineClient } from "./timed-child.ts";
import { SVC, type Workspace } from "./workspace.ts";

/** How often a query is repeated. */
const REPEATS = 5;

interface Timings {
  readonly fresh: number[];
  readonly again: number[];
}

/** The nth call of a tool; a different `round` makes another query of the same cost. */
const CALLS: Readonly<Record<string, (nth: number, round: number) => object>> = {
  search_context: (nth, round) => ({
    query: at(QUESTIONS, nth),
    limit: 10,
    max_tokens: 2000 + round,
  }),
  search_text: (nth, round) => ({ pattern: at(TEXTS, nth), limit: 50 + round }),
  find_symbol: (nth, round) => ({
    name: at(SYMBOLS, nth),
    limit: 20 + Math.floor(round / SYMBOLS.length),
  }),
  find_references: (nth, round) => ({ symbol: at(SYMBOLS, nth), limit: 50 + round }),
  outline: (_nth, round) => ({ path: "lib", max_tokens: 2000 + round }),
};
const SYMBOLS = ["Compiler", "ChunkGraph", "NormalModule", "Compilation", "RuntimeGlobals"];

export async function repeats(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const { root, env } = workspace;
  const child = spawn(SVC, ["mcp", "--stdio", "--root", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  await client.request("initialize", { clientInfo: { name: "bench" } });
  const ping: number[] = [];
  const rounds = isSmoke ? 1 : 5;
  const questions = isSmoke ? 8 : QUESTIONS.length;
  const rows: Row[] = [];
  const timed = async (name: string, input: object): Promise<number> => {
    const from = performance.now();
    await client.request("tools/call", { name, arguments: input });
    return performance.now() - from;
  };
  for (const [name, inputOf] of Object.entries(CALLS)) {
    const { fresh, again }: Timings = { fresh: [], again: [] };
    // One round more than is counted: the first opens the index and compiles.
    for (let round = 0; round <= rounds; round += 1) {
      for (let nth = 0; nth < questions; nth += 1) {
        const input = inputOf(nth, round * questions + nth);
        const first = await timed(name, input);
        const repeated: number[] = [];
        for (let count = 0; count < REPEATS; count += 1) repeated.push(await timed(name, input));
        if (round === 0) continue;
        fresh.push(first);
        again.push(...repeated);
      }
    }
    const first: Row = { name: `${name}, first`, unit: "ms", samples: fresh };
    rows.push(first, comparedWith({ name: `${name}, again`, unit: "ms", samples: again }, first));
  }
  for (let count = 0; count < 200; count += 1) {
    const from = performance.now();
    await client.request("ping", {});
    ping.push(performance.now() - from);
  }
  await client.close();
  return {
    bench: "repeats",
    corpus: `${workspace.corpus}, indexed; ${questions} questions, ${rounds} rounds`,
    rows: [...rows, { name: "ping: the way there and back", unit: "ms", samples: ping }],
    facts: [],
  };
}

function at(list: readonly string[], nth: number): string {
  return list[nth % list.length] ?? "";
}
