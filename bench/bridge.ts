// The overhead of `svc mcp --remote` for a call: the same questions to one `svc serve`, alternately over HTTP and
// through a bridge on the same machine.
import { spawn } from "node:child_process";

import { QUESTIONS } from "./questions.ts";
import { comparedInPairs, quantile, type Report, type Row } from "./report.ts";
import { HttpServer } from "./soak/http-server.ts";
import { lineClient, type LineClient } from "./timed-child.ts";
import { SVC, type Workspace } from "./workspace.ts";

/** Until V8 has compiled the code of both processes. */
const WARM_UP = 200;
const MAX_ADDED_MS = 5;

export async function bridge(
  { root, env, dataDirectory, corpus }: Workspace,
  isSmoke: boolean,
): Promise<Report> {
  const rounds = isSmoke ? 300 : 2000;
  const server = await HttpServer.start(root, env);
  const client = lineClient(
    spawn(SVC, ["mcp", "--stdio", "--remote", server.url], {
      // Not a repository: the server chooses the namespace for both.
      cwd: dataDirectory,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    }),
  );
  try {
    await client.request("initialize", { clientInfo: { name: "bench" } });
    const times = await inTurn(client, server, rounds);
    const { added, ...rows } = times;
    const half = quantile(added.samples, 0.5);
    return {
      bench: "bridge",
      corpus: `${corpus}; ${rounds} questions, most of them answered from a cache`,
      rows: [
        rows.direct,
        comparedInPairs(rows.bridged, rows.direct),
        { ...added, target: `${MAX_ADDED_MS} ms` },
      ],
      facts: [
        {
          text: `a bridge adds at most ${MAX_ADDED_MS} ms to a call, p50`,
          holds: half <= MAX_ADDED_MS,
        },
      ],
    };
  } finally {
    await client.close().catch(() => undefined);
    await server.close();
  }
}

/** Every other round begins with the bridge. */
async function inTurn(
  client: LineClient,
  server: HttpServer,
  rounds: number,
): Promise<Readonly<Record<"direct" | "bridged" | "added", Row>>> {
  const samples = { direct: [] as number[], bridged: [] as number[] };
  const ask = {
    direct: async (input: unknown) => server.call("search_context", input),
    bridged: async (input: unknown) =>
      client.request("tools/call", { name: "search_context", arguments: input }),
  };
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const input = { query: QUESTIONS[round % QUESTIONS.length] };
    const order =
      round % 2 === 0 ? (["direct", "bridged"] as const) : (["bridged", "direct"] as const);
    for (const way of order) {
      const from = performance.now();
      await ask[way](input);
      if (round >= WARM_UP) samples[way].push(performance.now() - from);
    }
  }
  const added = samples.bridged.map((ms, at) => ms - (samples.direct[at] ?? Number.NaN));
  return {
    direct: { name: "svc serve over HTTP", unit: "ms", samples: samples.direct },
    bridged: { name: "the same through the bridge", unit: "ms", samples: samples.bridged },
    added: { name: "added by the bridge", unit: "ms", samples: added },
  };
}
