// Runs git on the checkouts of the bench.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 1 << 30;

/** Returns the output of git; "" if it fails. */
export function git(folder: string, args: readonly string[]): string {
  return gitWith(folder, args, "");
}

/** The same with standard input. */
export function gitWith(folder: string, args: readonly string[], input: string): string {
  const run = spawnSync("git", ["-C", folder, ...args], { maxBuffer: MAX_BYTES, input });
  return run.status === 0 ? run.stdout.toString() : "";
}

/** Returns a clone of a mirror, `owner+name/repo`, whose work tree nobody else uses. */
export function cloneOf(
  github: string,
  { mirrors, cache }: { readonly mirrors: string; readonly cache: string },
): string {
  const folder = join(cache, github.replace("/", "+"));
  if (existsSync(join(folder, ".git"))) return folder;
  mkdirSync(cache, { recursive: true });
  const mirror = join(mirrors, github.replace("/", "+"), "repo");
  const { status } = spawnSync("git", ["clone", "--quiet", "--no-checkout", mirror, folder]);
  if (status !== 0) throw new Error(`${mirror} cannot be cloned`);
  return folder;
}

export function checkOut(folder: string, commit: string): void {
  git(folder, ["-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", commit]);
  git(folder, ["clean", "-qfdx"]);
  if (git(folder, ["rev-parse", "HEAD"]).trim() !== commit) throw new Error(`no ${commit}`);
}
