// The part of `npm test` that runs once the packages are installed.
//
//   --offline            runs the tests in a network that has only loopback
//   --without-programs   runs the test files that need a program, on a PATH that lacks each of them
//   anything else        is passed on to vitest
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { missingRequirements, TEST_REQUIREMENTS } from "./requirements.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const VITEST = "node_modules/vitest/vitest.mjs";

/** The program that was just built starts in half the time of the sources. */
const BUILT = {
  SVC_BIN: path.join(ROOT, "dist", process.platform === "win32" ? "svc.exe" : "svc"),
};

const flags = new Set(["--offline", "--without-programs"]);
const given = process.argv.slice(2);
const chosen = new Set(given.filter((word) => flags.has(word)));
const vitestArguments = given.filter((word) => !flags.has(word));

const isWithoutPrograms = chosen.has("--without-programs");
if (!isWithoutPrograms) installInCi();
process.exitCode = node("build.mjs", "--if-changed") || test();

/** A developer decides which programs to install; a CI machine has nobody to decide. */
function installInCi(): void {
  const isCi = (process.env["CI"] ?? "") !== "";
  if (!isCi || process.getuid?.() !== 0 || missingRequirements().length === 0) return;
  // A need that is still missing fails the run by name, because CI must not skip any test.
  node("scripts/testing/setup.ts");
}

function test(): number {
  if (!isWithoutPrograms) return vitest(vitestArguments, BUILT);
  const folder = mkdtempSync(path.join(tmpdir(), "svc-path-"));
  try {
    linkPrograms(folder);
    const env = { ...BUILT, PATH: folder, SVC_TESTS_WITHOUT_PROGRAMS: "1" };
    return vitest([...vitestArguments, ...filesWithRequirements()], env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitest(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const command = [process.execPath, VITEST, "run", ...args];
  if (chosen.has("--offline")) command.unshift(".ci/offline");
  return run(command, env);
}

function node(...args: readonly string[]): number {
  return run([process.execPath, ...args]);
}

/** Returns the exit code of the command. */
function run([program = "", ...args]: readonly string[], env = {}): number {
  const options = { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } } as const;
  return spawnSync(program, args, options).status ?? 1;
}

/** Links to everything on the PATH except the programs that some tests need. */
function linkPrograms(folder: string): void {
  const hidden = new Set(
    Object.values(TEST_REQUIREMENTS).flatMap(({ programs }): readonly string[] => programs),
  );
  const linked = new Set<string>();
  for (const from of (process.env["PATH"] ?? "").split(path.delimiter)) {
    for (const name of listFolder(from)) {
      if (hidden.has(name) || linked.has(name)) continue;
      linked.add(name);
      symlinkSync(path.join(from, name), path.join(folder, name));
    }
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The PATH may name missing folders.
    return [];
  }
}

function filesWithRequirements(): readonly string[] {
  return globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) =>
    /^ *needs\(/m.test(readFileSync(path.join(ROOT, file), "utf8")),
  );
}
