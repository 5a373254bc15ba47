// Runs the real program, each time on its own machine: data, home, one project.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { svcProgram } from "../helpers/svc-program.ts";

export type Environment = Readonly<Record<string, string>>;

export interface Place {
  /** The project: working directory of everything that runs here. */
  readonly root: string;
  readonly home: string;
  readonly remove: () => void;
}

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
}

export function createPlace(files: Readonly<Record<string, string | Uint8Array>> = {}): Place {
  const base = mkdtempSync(join(tmpdir(), "svc-spec-"));
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(root);
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, home, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Runs one command to its end. */
export function svc(place: Place, ...args: readonly string[]): Promise<Run> {
  return svcWith(place, {}, ...args);
}

/** Runs one command to its end, with these variables as well. */
export async function svcWith(
  place: Place,
  env: Environment,
  ...args: readonly string[]
): Promise<Run> {
  const child = startProgram(place, args, env);
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.on("data", (text: string) => out.push(text));
  child.stderr.on("data", (text: string) => err.push(text));
  child.stdin.end();
  const exit = await exitCode(child);
  return { stdout: out.join(""), stderr: err.join(""), exit };
}

let names = 0;

/** A name that is unique among the credentials of this process. */
export function freshName(start: string): string {
  names += 1;
  return `${start}-${names}`;
}

/** A token as scripts read it: the whole standard output. */
export async function createToken(place: Place): Promise<string> {
  const run = await svc(place, "auth", "token", "create", "--name", freshName("spec"));
  if (run.exit !== 0) throw new Error(`auth token create ended with ${run.exit}: ${run.stderr}`);
  return run.stdout.trim();
}

/** The settings of every command that runs there. It has no other from the environment: no credential, no keychain. */
export function environmentOf({ home }: Place): Record<string, string> {
  return {
    SERVICE_HOME: join(home, "data"),
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
}

/** Starts the built program if SVC_BIN names one, the sources otherwise. */
export function startProgram(
  place: Place,
  args: readonly string[],
  env: Environment = {},
): ChildProcessWithoutNullStreams {
  const [program, ...first] = svcProgram();
  const child = spawn(program, [...first, ...args], {
    cwd: place.root,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: place.home,
      ...environmentOf(place),
      ...env,
    },
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}

/** Resolves once the process has ended and its output has been read; null after a signal. */
export function exitCode(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((closed, reject) => {
    child.once("close", closed);
    child.once("error", reject);
  });
}
