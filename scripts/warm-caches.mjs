// Runs the bundled program through the start-ups that users wait for, so that its V8 code caches
// hold exactly the functions a start needs. A cache made without running lacks every function
// that V8 compiles lazily.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { connect } from "./mcp-client.mjs";
import { serviceFolders } from "./setup.mjs";

const RECORDER = fileURLToPath(new URL("record-caches.cjs", import.meta.url));
const COLD = fileURLToPath(new URL("cold-caches.mjs", import.meta.url));
const STEP_MS = 20_000;

/**
 * Writes `<chunk>.cache` beside each `<chunk>.js` of `assets`/code. A step that fails only means a
 * colder cache; each is returned with its reason, so that the build can say so.
 */
export async function warmCaches({ assets, boot, execArgv, sample }) {
  const home = mkdtempSync(path.join(os.tmpdir(), "svc-warm-"));
  const env = {
    PATH: process.env.PATH,
    ...serviceFolders(home),
    SVC_BUILD_ASSETS: assets,
    // Leads nowhere: a build does not ask the keychain of whoever runs it.
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  const command = [process.execPath, ...execArgv, "--require", RECORDER, boot];
  const failed = [];
  const step = async (name, run) => {
    try {
      return await run();
    } catch (error) {
      failed.push(`${name}: ${error.message.split("\n")[0]}`);
      return "";
    }
  };
  try {
    await step("--help", () => output([...command, "--help"], env));
    const token = await step("auth token create", () =>
      output([...command, "auth", "token", "create", "--name", "warm-up"], env),
    );
    await step("keychain agent", () => {
      const request = { action: "read", account: "warm-up", nativeDirectory: home };
      return output([...command, "keychain-agent"], env, `${JSON.stringify(request)}\n`);
    });
    await step("search", () =>
      output([...command, "search", "how is an error shown", sample], env),
    );
    await step("mcp", () =>
      session([...command, "mcp", "--stdio", "--root", sample], {
        ...env,
        SERVICE_TOKEN: token.trim(),
      }),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  await output([process.execPath, ...execArgv, COLD, path.join(assets, "code")], env);
  return failed;
}

/** One session as an editor opens it: both requests of the handshake, then one call of each kind. */
async function session(command, env) {
  const client = connect(command, { env, timeoutMs: STEP_MS });
  try {
    await client.initialize();
    await client.request("tools/list", {});
    await client.indexReady();
    await client.callTool("search_context", { query: "how is an error shown to the caller" });
    await client.callTool("search_text", { pattern: "SvcError" });
    await client.callTool("read_context", { targets: ["SvcError"] });
  } finally {
    await client.close();
  }
}

function output([file, ...args], env, input = "") {
  const options = { env, timeout: STEP_MS, encoding: "utf8" };
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
    child.stdin.end(input);
  });
}
