// An executable can be checked against its source: a second build, under other conditions, is the same.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
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

/** Of a compressed grammar; half of them are smaller. */
const LARGE_BYTES = 45_000;

let base = "";
let copy = "";

beforeAll(() => {
  // On the same file system as the packages, which are linked and not copied; a build removes abandoned folders.
  base = mkdtempSync(join(ROOT, "dist/work-reproducible-"));
  copy = join(base, "another folder, of another länge");
  mkdirSync(join(base, "temporary"));
  for (const name of SOURCE) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  linkPackages();
  linkCompressed();
}, 60_000);

/** Without the caches: they are half of all files, and other tests write there meanwhile. */
function linkPackages(): void {
  const from = join(ROOT, "node_modules");
  const packages = readdirSync(from).filter((name) => !name.startsWith("."));
  const to = join(copy, "node_modules");
  mkdirSync(to);
  execFileSync("cp", ["-al", ...packages, to], { cwd: from });
}

/**
 * Zstandard takes most of a build's time for the large grammars, and each grammar goes the same way. So the results
 * for the large ones are those of the first build, and the second compresses only the small ones again.
 */
function linkCompressed(): void {
  const kept = "node_modules/.cache/svc";
  const from = join(ROOT, kept);
  // An installation removes it, and leaves an executable that is up to date.
  if (!existsSync(from)) return;
  mkdirSync(join(copy, kept), { recursive: true });
  for (const name of readdirSync(from)) {
    const file = join(from, name);
    if (statSync(file).size > LARGE_BYTES) linkSync(file, join(copy, kept, name));
  }
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
