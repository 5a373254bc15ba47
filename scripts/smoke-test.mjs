// Last step of the build: the finished file itself must work, or it does not become dist/svc.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { connect } from "./mcp-client.mjs";
import { serviceFolders } from "./setup.mjs";

const LIMIT_MS = 20_000;
/** An emulator is some ten times slower. */
const EMULATED_LIMIT_MS = 60_000;

/**
 * Throws when `file` is not a working and closed executable of `version`. `emulator` is the command that runs
 * it where its processor is another one. `isForeign` is true if it was built for another platform.
 */
export async function smokeTest(
  file,
  version,
  { emulator = [], isForeign = emulator.length > 0 } = {},
) {
  const command = [...emulator, file];
  const isEmulated = emulator.length > 0;
  const timeoutMs = isEmulated ? EMULATED_LIMIT_MS : LIMIT_MS;
  const home = mkdtempSync(path.join(os.tmpdir(), "svc-smoke-"));
  // Options from outside must have no effect: this one would stop Node before the first line.
  const env = { ...serviceFolders(home), NODE_OPTIONS: "--require=/nonexistent/preload.cjs" };
  try {
    const reported = run([...command, "--version"], { env, timeoutMs });
    if (reported !== version) throw new Error(`--version printed "${reported}", not "${version}"`);
    const sound = run([...command, "--self-check"], { env, timeoutMs });
    // Without them it would work but start slowly.
    if (!isForeign && sound.includes(" 0 code caches")) throw new Error("it has no code caches");
    await handshake(command, { env: { ...env, NODE_OPTIONS: "" }, timeoutMs, version });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run([file, ...args], { env, timeoutMs }) {
  const child = spawnSync(file, args, { env, encoding: "utf8", timeout: timeoutMs });
  if (child.error) throw child.error;
  if (child.status !== 0) {
    throw new Error(
      `${args.join(" ")} ended with ${child.status}:\n${child.stdout}${child.stderr}`,
    );
  }
  if (child.stderr !== "") throw new Error(`${args.join(" ")} warns:\n${child.stderr}`);
  return child.stdout.trim();
}

/** Opens a session and sends the signal that starts a debugger, which must have no effect. */
async function handshake(command, { env, timeoutMs, version }) {
  const root = path.join(env.SERVICE_HOME, "empty-project");
  mkdirSync(root, { recursive: true });
  const client = connect([...command, "mcp", "--stdio", "--root", root], { env, timeoutMs });
  let end;
  try {
    const { serverInfo } = await client.initialize();
    if (serverInfo.version !== version) throw new Error(`initialize returns ${serverInfo.version}`);
    if (process.platform !== "win32") {
      process.kill(client.pid, "SIGUSR1");
      await client.request("ping", {});
    }
  } finally {
    end = await client.close();
  }
  const { signal, log } = end;
  if (signal !== null) throw new Error(`mcp --stdio did not end with its input:\n${log}`);
  if (log.includes("Debugger")) throw new Error(`SIGUSR1 opened a debugger:\n${log}`);
}
