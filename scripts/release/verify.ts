// npm run verify -- FILE: builds the executable from this source again and compares it with FILE. docs/releasing.md
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { executable } from "../setup.mjs";
import { difference } from "./difference.ts";
import { isHost, packFor } from "./executables.ts";
import { TARGETS, type ReleaseTarget } from "./targets.ts";

const ROOT = path.join(import.meta.dirname, "../..");

try {
  await verify(process.argv.slice(2));
} catch (error) {
  console.error(`verify: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}

async function verify([given, ...rest]: readonly string[]): Promise<void> {
  if (given === undefined || rest.length > 0) throw new Error("Usage: npm run verify -- FILE");
  // Read first: FILE may be the one that the build replaces. npm changes to the repository.
  const name = path.resolve(process.env["INIT_CWD"] ?? ".", given);
  const file = readFileSync(name);
  const target = targetOf(path.basename(name));
  const built = await build(target);
  const found = difference(file, built);
  const source = `the source of ${commit()}`;
  if (found === undefined) {
    console.log(
      `${given} is identical to a build of ${source} for ${target.id}.\nsha256 ${sha256(built)}`,
    );
    return;
  }
  console.error(
    `verify: ${given} differs from a build of ${source} for ${target.id}: ${found}.\n` +
      `  file    sha256 ${sha256(file)}\n  source  sha256 ${sha256(built)}\n` +
      "Check out the tag of the release, run `npm ci`, and compare again.",
  );
  process.exitCode = 1;
}

/** The platform at the end of the file's name; this one if there is none. */
function targetOf(name: string): ReleaseTarget {
  const stem = name.replace(/\.exe$/, "");
  const target = TARGETS.find(({ id }) => stem.endsWith(`-${id}`)) ?? TARGETS.find(isHost);
  if (target === undefined) throw new Error("there are no releases for this platform");
  return target;
}

async function build(target: ReleaseTarget): Promise<Buffer> {
  if (isHost(target)) {
    const { status } = spawnSync(process.execPath, [path.join(ROOT, "build.mjs")], {
      cwd: ROOT,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) throw new Error("the build failed");
    return readFileSync(executable());
  }
  const work = mkdtempSync(path.join(tmpdir(), "svc-verify-"));
  try {
    const output = path.join(work, "svc");
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(path.join(ROOT, "package.json"), "utf8"),
    );
    await packFor(target, output, { work, version });
    return readFileSync(output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The current commit, as git prints it, with a note on uncommitted changes. */
function commit(): string {
  const args = ["describe", "--always", "--dirty", "--tags"];
  try {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: [...stdio] }).trim();
  } catch {
    return "this folder";
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
