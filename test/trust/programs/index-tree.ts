// Indexes a folder in a process of its own, reads files of it, and prints what came of it as JSON.
// Arguments: folder, data directory, then paths to be read.

import { createEngine } from "../../../src/engine/create-engine.ts";
import { createLogger } from "../../../src/base/log.ts";
import { localOwner } from "../../../src/sources/caller.ts";

const [root = "", data = "", ...paths] = process.argv.slice(2);
const engine = createEngine({
  dataDirectory: data,
  home: data,
  logger: createLogger({ level: "info", human: false, write: () => {} }),
  workspace: () => root,
});
const asked = { caller: localOwner(), signal: new AbortController().signal };
const started = performance.now();
const { report } = await engine.index({ ...asked, otherwise: "workspace", source: root });
const indexMs = performance.now() - started;
const [status] = await engine.status({ ...asked, detail: "skipped" });
let slowestReadMs = 0;
for (const path of paths) {
  const from = performance.now();
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that each has its time
  await engine.read({ ...asked, targets: [path], maxTokens: 20_000 });
  slowestReadMs = Math.max(slowestReadMs, performance.now() - from);
}
await engine.close();
const maxRssMiB = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ report, status, indexMs, slowestReadMs, maxRssMiB }));
