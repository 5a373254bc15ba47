// Run with `node test/spec/stdio-latency.bench.ts`. A bench, because a test of milliseconds would
// fail whenever the machine is busy with something else.
import { cpus } from "node:os";

import { createPlace, createToken } from "./program.ts";
import { startServer } from "./stdio-client.ts";

const CALLS = 1000;
const WARM_UP = 100;

const place = createPlace({ "docs/rivers.md": "# Rivers\n\nA river is widest at its mouth.\n" });
const server = startServer(place, { SERVICE_TOKEN: await createToken(place) });
await server.items("index_source", { source: place.root, wait_ms: 20_000 });

process.stdout.write(`one document, ${cpus()[0]?.model}, ${CALLS} calls, one after the other\n`);
await measures("4.4/latency", "ping", () => server.request("ping"));
await measures("4.4/latency", "tools/list", () => server.request("tools/list"));
await measures("4.4/latency", "search_context", () =>
  server.items("search_context", { query: "where is a river widest" }),
);

await server.close();
place.remove();

async function measures(id: string, name: string, call: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let n = -WARM_UP; n < CALLS; n += 1) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- the time of one call, not of many side by side.
    await call();
    if (n >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const quantile = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  const isMet = quantile(0.95) < 10;
  if (!isMet) process.exitCode = 1;
  process.stdout.write(
    `${id} ${name}: median ${quantile(0.5).toFixed(3)} ms, p95 ${quantile(0.95).toFixed(3)} ms` +
      `, ${isMet ? "below" : "NOT below"} 10 ms\n`,
  );
}
