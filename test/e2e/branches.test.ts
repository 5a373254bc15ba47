// The shipped program in a repository whose branch is switched.
import { execFileSync } from "node:child_process";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, expect, test } from "vitest";

import { createPlace, svc } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const COUNT = 120;
const CHANGED = 20;

function moduleOf(number: number, bird: string): string {
  return `/** The ${bird} of house ${number} sings. */\nexport function ${bird}${number}() {}\n`;
}

const place = createPlace(
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [`src/m${at}.ts`, moduleOf(at, "robin")]),
  ),
);
afterAll(() => place.remove());

function git(...args: readonly string[]): void {
  const settings = ["user.name=Ann", "user.email=a@example.org", "maintenance.auto=false"];
  const options = settings.flatMap((one) => ["-c", one]);
  execFileSync("git", [...options, ...args], { cwd: place.root, stdio: "ignore" });
}

/** Switches and indexes. A two-second-old file cannot change again with the same times. */
async function indexed(branch: string): Promise<string> {
  git("checkout", "-q", branch);
  const folder = join(place.root, "src");
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  const { exit, stdout, stderr } = await svc(place, "index", ".");
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

/** Names of the segments of the index, and the number of contents that it keeps. */
function inCatalog(): { readonly segments: readonly unknown[]; readonly earlier: unknown } {
  const [path = ""] = readdirSync(place.home, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith("catalog.db"));
  const db = new DatabaseSync(join(place.home, path), { readOnly: true });
  try {
    return {
      segments: db.prepare("SELECT name FROM segment ORDER BY id").all(),
      earlier: db.prepare("SELECT count(*) AS n FROM earlier").get()?.["n"],
    };
  } finally {
    db.close();
  }
}

async function found(word: string): Promise<number> {
  const { stdout } = await svc(place, "symbols", `${word}*`, "--json", "--limit", "100");
  return new Set(stdout.match(new RegExp(`"${word}\\d+"`, "g"))).size;
}

test("switching back and forth parses nothing the second time", async () => {
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  await indexed("main");
  git("checkout", "-q", "-b", "other");
  for (let at = 0; at < CHANGED; at += 1) {
    writeFileSync(join(place.root, `src/m${at}.ts`), moduleOf(at, "siskin"));
  }
  git("commit", "-q", "-a", "-m", "Siskins");
  await indexed("other");
  const after = inCatalog();
  expect(after.earlier).toBe(CHANGED);
  for (const branch of ["main", "other", "main"]) {
    /* oxlint-disable no-await-in-loop -- one switch after the other */
    expect(await indexed(branch)).toContain(
      `0 added, ${CHANGED} changed, 0 removed, 100 unchanged`,
    );
    expect(inCatalog()).toEqual(after);
    expect(await found("siskin")).toBe(branch === "main" ? 0 : CHANGED);
    expect((await svc(place, "grep", "siskin7")).exit).toBe(branch === "main" ? 1 : 0);
    /* oxlint-enable no-await-in-loop */
  }
  expect((await svc(place, "index", "--verify", ".")).exit).toBe(0);
  expect((await svc(place, "doctor")).stdout).toContain("0 errors");
}, 120_000);
