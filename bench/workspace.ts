// The measured project, in a separate place: the bench reads and writes no data of the user.
import { randomUUID } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { realProject } from "../test/helpers/real-project.ts";
import { peakOf } from "./timed-child.ts";

export const SVC = join(import.meta.dirname, "../dist/svc");

export type Environment = Readonly<Record<string, string>>;

export interface Workspace {
  /** The project. */
  readonly root: string;
  /** Absolute paths of its files. */
  readonly files: readonly string[];
  readonly sizeBytes: number;
  readonly corpus: string;
  /** With a token, and with an index of the current project. */
  readonly env: Environment;
  readonly dataDirectory: string;
  /** The largest resident size of the process that made the index; undefined without /proc. */
  readonly indexPeakBytes: number | undefined;
  /** An environment with an empty data directory, created by each call. */
  readonly freshEnv: () => Environment;
  readonly remove: () => void;
}

export async function createWorkspace(): Promise<Workspace> {
  const base = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const root = realProject(base);
  const freshEnv = homesIn(base);
  const env = withToken(freshEnv());
  const indexing = spawn(SVC, ["index", root], { env, stdio: "ignore" });
  const indexPeakBytes = await peakOf(indexing);
  if (indexing.exitCode !== 0) throw new Error(`svc index ended with ${indexing.exitCode}`);
  const files = filesBelow(root);
  const sizeBytes = totalBytes(files);
  return {
    root,
    files,
    sizeBytes,
    corpus: `webpack 5.112.2: ${files.length} files, ${(sizeBytes / 1e6).toFixed(1)} MB`,
    env,
    dataDirectory: dataDirectoryOf(env),
    indexPeakBytes,
    freshEnv,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Creates an environment with an empty home and data directory below `folder` at each call. */
export function homesIn(folder: string): () => Environment {
  let homes = 0;
  return () => {
    homes += 1;
    const home = join(folder, `home-${homes}`);
    mkdirSync(home);
    return { PATH: process.env["PATH"] ?? "", HOME: home, SERVICE_HOME: join(home, "data") };
  };
}

export function withToken(env: Environment): Environment {
  const name = `bench ${randomUUID()}`;
  const token = runSvc(["auth", "token", "create", "--name", name], env).trim();
  return { ...env, SERVICE_TOKEN: token };
}

export function dataDirectoryOf(env: Environment): string {
  return env["SERVICE_HOME"] ?? "";
}

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function totalBytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** The output of svc; throws with its message if it fails. */
export function runSvc(args: readonly string[], env: Environment): string {
  return runSvcAt(SVC, args, env);
}

/** The same for another svc. */
export function runSvcAt(svc: string, args: readonly string[], env: Environment): string {
  const { status, stdout, stderr, error } = spawnSync(svc, args, { env, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`svc ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}
