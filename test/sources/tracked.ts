// Repositories made for a test, and the paths that svc finds tracked in them.
import { execFileSync } from "node:child_process";

import { onTestFinished } from "vitest";

import type { TrackedPaths } from "../../src/sources/git-index.ts";
import { repositoryAbove, trackedPaths } from "../../src/sources/git.ts";
import { tree } from "../helpers/tree.ts";

export function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

export function git(directory: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...identity, "-c", "protocol.file.allow=always", ...args], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export function trackedIn(directory: string, outsideGit?: string): TrackedPaths | undefined {
  const repository = repositoryAbove({ root: directory, outsideGit });
  return repository && trackedPaths(repository);
}

export function tracked(directory: string, outsideGit?: string): string[] | undefined {
  const paths = trackedIn(directory, outsideGit);
  return paths && [...new Set(paths)].toSorted();
}
