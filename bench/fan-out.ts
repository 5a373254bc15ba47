// node bench/fan-out.ts [--namespaces 10,100,1000] [--users 10]: milliseconds to find the users of a library's function
// in this many namespaces, `--users` of which depend on the library. Each of the others depends on forty other
// packages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createLogger } from "../src/base/log.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { localOwner } from "../src/sources/principal.ts";
import { quantile } from "./report.ts";

const { values } = parseArgs({
  options: {
    namespaces: { type: "string", default: "10,100,1000" },
    users: { type: "string", default: "10" },
  },
});
const steps = values.namespaces.split(",").map(Number);
const users = Number(values.users);
const REPEATS = 30;

const place = mkdtempSync(join(tmpdir(), "svc-fan-out-"));
const engine = createEngine({
  dataDirectory: join(place, "data"),
  home: join(place, "home"),
  logger: createLogger({ level: "warn", human: true, write: (line) => process.stderr.write(line) }),
  workspace: () => place,
});
const caller = { principal: localOwner(), signal: new AbortController().signal };

async function index(namespace: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(place, namespace);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await engine.index({ ...caller, namespace, source: folder });
}

function lockOf(names: readonly string[]): string {
  const packages = names.map((name) => [`node_modules/${name}`, { version: "1.0.0" }]);
  return JSON.stringify({ packages: Object.fromEntries(packages) });
}

async function userMs(namespace: string): Promise<{ readonly ms: number; readonly found: number }> {
  const started = performance.now();
  const { exact } = await engine.references({
    ...caller,
    namespace,
    symbol: "library/index.js#compose",
    relation: "references",
    depth: 1,
    limit: 100,
  });
  return { ms: performance.now() - started, found: exact };
}

const rows: Record<string, number | string>[] = [];
try {
  await index("library", {
    "package.json": '{ "name": "library", "version": "1.0.0" }',
    "index.js": "module.exports = compose;\n\nfunction compose(list) {\n  return list;\n}\n",
  });
  let made = 1;
  for (const count of steps) {
    for (; made < count; made += 1) {
      const isUser = made <= users;
      const names = Array.from({ length: 40 }, (_, at) => `package-${made}-${at}`);
      const all = isUser ? ["library", ...names] : names;
      const dependencies = Object.fromEntries(all.map((name) => [name, "^1.0.0"]));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await index(`project-${String(made).padStart(4, "0")}`, {
        "package.json": JSON.stringify({ name: `project-${made}`, dependencies }),
        "package-lock.json": lockOf(all),
        "index.js": `const compose = require("${isUser ? "library" : "./own"}");\n\nexport function run() {\n  return compose([]);\n}\n`,
      });
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const first = await userMs("*");
    const times: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (let at = 0; at < REPEATS; at += 1) times.push((await userMs("*")).ms);
    times.sort((one, other) => one - other);
    rows.push({
      namespaces: count,
      "references found": first.found,
      "first, ms": Math.round(first.ms),
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
