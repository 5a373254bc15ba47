// An executable can be checked against its source: a second build under other conditions is identical.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const SOURCE = [
  "assets",
  "build.mjs",
  "LICENSE",
  "package-lock.json",
  "package.json",
  "scripts",
  "src",
  "THIRD_PARTY_NOTICES",
  "tsconfig.json",
];

let base = "";
let copy = "";

beforeAll(() => {
  // On the same file system as the packages, which are linked and not copied; a build removes abandoned folders.
  base = mkdtempSync(join(ROOT, "dist/work-reproducible-"));
  copy = join(base, "another folder, of another länge");
  mkdirSync(join(base, "temporary"));
  for (const name of SOURCE) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  linkPackages();
}, 60_000);

/** Without the caches: they are half of all files, and other tests write there meanwhile. */
function linkPackages(): void {
  const from = join(ROOT, "node_modules");
  const packages = readdirSync(from).filter((name) => !name.startsWith("."));
  const to = join(copy, "node_modules");
  mkdirSync(to);
  execFileSync("cp", ["-al", ...packages, to], { cwd: from });
}

afterAll(() => {
  rmSync(base, { recursive: true, force: true });
}, 60_000);

test("a build in another folder, environment and umask makes the same bytes", () => {
  const env = {
    PATH: process.env["PATH"],
    HOME: join(base, "nobody"),
    TMPDIR: join(base, "temporary"),
    TZ: "Pacific/Chatham",
    LC_ALL: "tr_TR.UTF-8",
    SVC_ANYTHING: "x".repeat(5000),
  };
  const node = [process.execPath, "scripts/release/verify.ts", join(ROOT, "dist/svc")];
  const command = ["-c", 'umask 077; exec "$@"', "sh", ...node];
  const { status, stdout, stderr } = spawnSync("sh", command, { cwd: copy, env, encoding: "utf8" });
  expect([status, stderr.match(/^verify: [^]*/m)?.[0]]).toEqual([0, undefined]);
  expect(stdout).toMatch(
    / is identical to a build of the source of \S.* for [\w-]+\.\nsha256 [0-9a-f]{64}\n$/,
  );

  const [bill, other] = [ROOT, copy].map((root) => readFileSync(join(root, "dist/svc.cdx.json")));
  expect(other).toEqual(bill);
}, 180_000);
