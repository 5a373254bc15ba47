// The project that is measured, in a place of its own: nothing of the user's is read or written.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { realProject } from "../test/helpers/real-project.ts";

export const SVC = join(import.meta.dirname, "../dist/svc");

export interface Workspace {
  /** The project. */
  readonly root: string;
  /** Absolute paths of its files. */
  readonly files: readonly string[];
  readonly sizeBytes: number;
  readonly corpus: string;
  /** With a token, and with an index of the project as it stands. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
  /** An environment with an empty data directory, made anew at each call. */
  readonly freshEnv: () => Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export function createWorkspace(): Workspace {
  const base = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const root = realProject(base);
  let homes = 0;
  const freshEnv = (): Readonly<Record<string, string>> => {
    homes += 1;
    const home = join(base, `home-${homes}`);
    mkdirSync(home);
    return { PATH: process.env["PATH"] ?? "", HOME: home, SERVICE_HOME: join(home, "data") };
  };
  const env = freshEnv();
  const token = output(["auth", "token", "create", "--name", "bench"], env).trim();
  output(["index", root], env);
  const files = filesBelow(root);
  const sizeBytes = totalBytes(files);
  return {
    root,
    files,
    sizeBytes,
    corpus: `webpack 5.112.2: ${files.length} files, ${(sizeBytes / 1e6).toFixed(1)} MB`,
    env: { ...env, SERVICE_TOKEN: token },
    dataDirectory: env["SERVICE_HOME"] ?? "",
    freshEnv,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function totalBytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

function output(args: readonly string[], env: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr, error } = spawnSync(SVC, args, { env, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`svc ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}
