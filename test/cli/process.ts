import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import type { CliRun } from "../helpers/cli.ts";
import { svcProgram } from "../helpers/svc-program.ts";
import type { CredentialMachine } from "./credential-machine.ts";

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly stdout?: number;
  /** Standard output has no reader. */
  readonly isUnread?: boolean;
  /** A program and its first arguments, which start this program. */
  readonly through?: readonly string[];
}

/** Runs the program itself on that machine, for tests that need a process. */
export async function runProgram(
  { data, config, keyFile, root }: CredentialMachine,
  words: readonly string[],
  { env = { SERVICE_DATA_KEY_FILE: keyFile }, input = "", ...options }: RunOptions = {},
): Promise<CliRun> {
  const [program = "", ...first] = [...(options.through ?? []), ...svcProgram()];
  const stdio: StdioOptions = ["pipe", options.stdout ?? "pipe", "pipe"];
  const child = spawn(program, [...first, ...words], {
    cwd: root,
    stdio,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      SERVICE_HOME: data,
      SERVICE_CONFIG_HOME: config,
      ...env,
    },
  });
  if (options.isUnread === true) child.stdout?.destroy();
  // A program that reads nothing may have ended before its input is written.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  const isRead = child.stdout !== null && options.isUnread !== true;
  const out = isRead && child.stdout !== null ? text(child.stdout) : "";
  const err = child.stderr === null ? "" : text(child.stderr);
  const [code] = await once(child, "close");
  return { code: Number(code), out: await out, err: await err };
}
