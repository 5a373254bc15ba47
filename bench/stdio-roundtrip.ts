// How long one trivial tools/call takes over a pipe to the fixture server: the protocol's share of
// the 250 ms the interface allows a call (section 8), and of the 10 ms it states for stdio (4.4).
import { spawnServer } from "../test/helpers/rpc.ts";

const WARM_UP = 100;
const CALLS = 1000;
const LIMIT_P95_MS = 10;

const server = spawnServer();
await server.request("initialize", { clientInfo: { name: "bench" } });
for (let count = 0; count < WARM_UP; count += 1) await roundTrip();
const times: number[] = [];
for (let count = 0; count < CALLS; count += 1) times.push(await roundTrip());
server.child.stdin.end();
await server.exit();

times.sort((a, b) => a - b);
const [median, p95, max] = [0.5, 0.95, 1].map((share) => {
  const ms = times[Math.ceil(share * CALLS) - 1] ?? Number.NaN;
  return Number(ms.toFixed(3));
});
const line = {
  bench: "stdio-roundtrip",
  calls: CALLS,
  median_ms: median,
  p95_ms: p95,
  max_ms: max,
};
console.log(JSON.stringify(line));
if ((p95 ?? Infinity) > LIMIT_P95_MS) process.exitCode = 1;

async function roundTrip(): Promise<number> {
  const from = performance.now();
  // A reply is looked for among those not seen yet: what is kept would count as the server's time.
  server.received.length = 0;
  await server.request("tools/call", { name: "echo", arguments: { text: "x" } });
  return performance.now() - from;
}
