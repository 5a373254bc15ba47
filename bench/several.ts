// node bench/several.ts [--namespaces 1,3,16,100,1000]: milliseconds of a search in this many namespaces at once, each
// a copy of this repository's src/search. The questions are those of bench/questions.ts. The first search opens the
// indexes.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createLogger } from "../src/base/log.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { localOwner } from "../src/sources/principal.ts";
import { QUESTIONS } from "./questions.ts";
import { quantile } from "./report.ts";

const { values } = parseArgs({
  options: { namespaces: { type: "string", default: "1,3,16,100,1000" } },
});
const steps = values.namespaces.split(",").map(Number);

const place = mkdtempSync(join(tmpdir(), "svc-several-"));
const engine = createEngine({
  dataDirectory: join(place, "data"),
  home: join(place, "home"),
  logger: createLogger({ level: "warn", human: true, write: (line) => process.stderr.write(line) }),
  workspace: () => place,
});
const caller = { principal: localOwner(), signal: new AbortController().signal };

async function searchMs(query: string, namespace: string): Promise<number> {
  const started = performance.now();
  await engine.search({ ...caller, query, namespace, limit: 10, maxTokens: 2000 });
  return performance.now() - started;
}

const rows: Record<string, number | string>[] = [];
try {
  const names: string[] = [];
  for (const count of steps) {
    while (names.length < count) {
      const name = `copy-${String(names.length).padStart(4, "0")}`;
      const folder = join(place, name);
      mkdirSync(folder);
      cpSync(join(import.meta.dirname, "../src/search"), folder, { recursive: true });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await engine.index({ ...caller, namespace: name, source: folder });
      names.push(name);
    }
    const namespace = count === 1 ? (names[0] ?? "") : names.join(",");
    const opening = await searchMs("open the indexes", namespace);
    const times: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    for (const query of QUESTIONS) times.push(await searchMs(query, namespace));
    times.sort((one, other) => one - other);
    rows.push({
      namespaces: count,
      "first, ms": Math.round(opening),
      "p50, ms": Number(quantile(times, 0.5).toFixed(1)),
      "p95, ms": Number(quantile(times, 0.95).toFixed(1)),
    });
    console.error(rows.at(-1));
  }
} finally {
  await engine.close();
  rmSync(place, { recursive: true, force: true });
}
console.table(rows);
