// Watches a folder in a process of its own, changes a file in it, and prints how that was found as JSON.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { createLogger } from "../../../src/base/log.ts";
import { createEngine } from "../../../src/engine/create-engine.ts";
import { localOwner } from "../../../src/sources/caller.ts";

const [root = "", data = ""] = process.argv.slice(2);
const warnings: string[] = [];
const { warn, ...logger } = createLogger({ level: "info", human: false, write: () => {} });
const engine = createEngine({
  dataDirectory: data,
  home: data,
  logger: { ...logger, warn: (message) => void warnings.push(message) },
  workspace: () => root,
  watches: true,
});
const asked = { caller: localOwner(), signal: new AbortController().signal };
const { namespace } = await engine.index({ ...asked, otherwise: "workspace", source: root });
engine.keepFresh(namespace, () => {});
const freshness = () => engine.keepFresh(namespace, () => {});
while (freshness().mode !== "polled") await delay(20);
writeFileSync(join(root, "d7/a.ts"), "export const laterNeedle = 2;\n");
const pattern = { pattern: "laterNeedle", isRegex: false, caseSensitive: true, wholeWord: false };
const page = { contextLines: 0, output: "files", limit: 10 } as const;
let isFound = false;
for (let left = 500; left > 0 && !isFound; left -= 1) {
  await delay(50);
  const { totalFiles } = await engine.searchText({ ...asked, ...pattern, ...page, namespace });
  isFound = totalFiles === 1;
}
const { mode, problem } = freshness();
await engine.close();
process.stdout.write(JSON.stringify({ mode, problem, warnings, isFound }));
