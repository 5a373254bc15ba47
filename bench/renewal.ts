// node bench/renewal.ts REPOSITORY [--back 1,60] [--jumps 20] [--folder DIR]: measures the cost for a server of
// renewing the findings of `svc changes --docs` by itself, after `--back` commits and after jumps to random commits of
// the last 500. After each renewal, it compares the findings with those of a complete answer. Exit code 1 if they
// differ. Works in a clone. Linux only.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

import { createLogger } from "../src/base/log.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import { diskCommits } from "../src/index/commits/disk-commits.ts";
import { loadOutdated } from "../src/index/commits/outdated-store.ts";
import { localOwner } from "../src/sources/principal.ts";
import { seededRandom } from "./quality/random.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    back: { type: "string", default: "1,60" },
    jumps: { type: "string", default: "20" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [repository] = positionals;
if (repository === undefined) throw new Error("usage: node bench/renewal.ts REPOSITORY");
const JUMP_COMMITS = 500;
const MEDIA = ["gif", "ico", "jpg", "mp4", "pdf", "png", "svg", "ttf", "woff", "woff2", "zip"];
/** Kernel ticks per second. */
const TICKS = 100;

const place = realpathSync(mkdtempSync(join(values.folder, "svc-renewal-")));
const tree = join(place, "tree");
const renewals: number[] = [];
const engine = createEngine({
  dataDirectory: place,
  home: place,
  logger: createLogger({
    level: "debug",
    human: false,
    write: (line) => {
      if (!line.includes("findings")) return;
      renewals.push(Number(/"pages":(\d+)/.exec(line)?.[1] ?? Number.NaN));
    },
  }),
  workspace: () => tree,
  watchesFiles: true,
});
const asked = { principal: localOwner(), signal: new AbortController().signal };
let namespace = "";

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", tree, ...args], { encoding: "utf8" }).trim();
}

/** Processor time of this process with its threads, and of its ended child processes, in milliseconds. */
function processorMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1000) / TICKS;
}

async function whole(): Promise<{ readonly pages: number; readonly found: string }> {
  const { checked } = await engine.drift({ ...asked, limit: 1, waitMs: 600_000 });
  return { pages: checked.pages, found: stored() };
}

function stored(): string {
  const { statements } = loadOutdated(diskCommits(place), namespace);
  return statements
    .map(({ path, line, name, became }) => `${path}:${line} ${name} ${became}`)
    .join("\n");
}

async function timed<Answer>(run: () => Promise<Answer>): Promise<readonly [Answer, number]> {
  const before = processorMs();
  const answer = await run();
  return [answer, processorMs() - before];
}

/** Asks like an agent until the server has noticed the change. */
async function renewed(): Promise<number | undefined> {
  const count = renewals.length;
  for (let tries = 0; tries < 600; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    if (tries % 50 === 0) await engine.read({ ...asked, targets: ["README.md"], maxTokens: 100 });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await delay(100);
    if (renewals.length > count) return renewals.at(-1);
  }
  return undefined;
}

const rows: object[] = [];
let isWrong = false;

async function moveTo(commit: string, what: string): Promise<void> {
  git("checkout", "-q", "-f", commit);
  // The work that the watcher does anyway.
  await delay(3000);
  await engine.index(asked);
  // Five seconds after the last check of the stored findings.
  await delay(5000);
  const [pages, renewalMs] = await timed(renewed);
  const found = stored();
  const [answer, wholeMs] = await timed(whole);
  isWrong ||= found !== answer.found;
  if (found !== answer.found) console.log(`${what}: ${found}\ninstead of\n${answer.found}`);
  rows.push({
    what,
    renewalMs,
    pages,
    wholeMs,
    "of pages": answer.pages,
    statements: found.split("\n").length,
  });
  console.error(rows.at(-1));
}

try {
  execFileSync("git", ["clone", "-q", "--no-checkout", resolve(repository), tree]);
  // A mirror may lack large files.
  git("sparse-checkout", "set", "--no-cone", "/*", ...MEDIA.map((name) => `!*.${name}`));
  const last = git("rev-parse", "HEAD");
  git("checkout", "-q", "-f", `${last}~61`);
  ({ namespace } = await engine.index(asked));
  // svc reads pages indexed in the last minute again, because they may have been indexed after the answer.
  await delay(65_000);
  const [first, firstMs] = await timed(whole);
  console.error(`${namespace}: first answer ${firstMs} ms, ${first.pages} pages`);
  let at = 61;
  for (const back of values.back.split(",").map(Number)) {
    at -= back;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await moveTo(at === 0 ? last : `${last}~${at}`, `${back} commits`);
  }
  const random = seededRandom("renewal");
  for (let jump = 0; jump < Number(values.jumps); jump += 1) {
    const to = Math.floor(random() * JUMP_COMMITS);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await moveTo(`${last}~${to}`, `to ${to} back`);
  }
  console.table(rows);
} finally {
  await engine.close();
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
