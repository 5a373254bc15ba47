// Runs git on the checkouts of the bench, which are clones of well-known projects.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import type { WhyRepository } from "./repositories.ts";

const MAX_BYTES = 1 << 30;

/** Returns the output of git; "" if it fails. */
export function git(folder: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync("git", ["-C", folder, ...args], { maxBuffer: MAX_BYTES });
  return status === 0 ? stdout.toString() : "";
}

/** Checks out a repository at its tip. `mirrors` has bare repositories with their whole history, `owner+name/repo`. */
export function checkout(
  { github, tip }: WhyRepository,
  { mirrors, cache }: { readonly mirrors: string; readonly cache: string },
): string {
  const folder = join(cache, github.replace("/", "+"));
  if (!existsSync(join(folder, ".git"))) {
    mkdirSync(cache, { recursive: true });
    const mirror = join(mirrors, github.replace("/", "+"), "repo");
    const { status } = spawnSync("git", ["clone", "--quiet", "--no-checkout", mirror, folder]);
    if (status !== 0) throw new Error(`${mirror} cannot be cloned`);
  }
  git(folder, ["-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", tip]);
  if (git(folder, ["rev-parse", "HEAD"]).trim() !== tip) throw new Error(`${github} has no ${tip}`);
  return folder;
}
