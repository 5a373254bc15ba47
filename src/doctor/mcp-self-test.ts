// Starts this program as an editor starts it, and asks it through the client of the MCP SDK, which shares no code with
// our server. Everything it writes is in a temporary folder, with a credential store of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { mainEntry, productVersion } from "../base/assets.ts";
import { createSettings, readConfiguration, type Settings } from "../config/settings.ts";
import { createToken } from "../credentials/access-tokens.ts";
import type { CredentialBackend } from "../credentials/backend.ts";

/** What the server answered. */
export interface SelfTestResult {
  readonly toolCount: number;
  /** Whether a search returned the line of the sample file. */
  readonly foundSample: boolean;
}

/** Opens the credentials of these settings. */
type OpenCredentials = (settings: Settings) => CredentialBackend;

/** Thrown with the last line of the server's log, "" for none. */
export class SelfTestError extends Error {
  readonly lastLogLine: string;

  constructor(cause: unknown, lastLogLine: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.lastLogLine = lastLogLine;
  }
}

/** For the whole test; a fresh folder of one file takes a fraction of a second. */
const TIMEOUT_MS = 30_000;
/** The longest that `index_source` waits. */
const INDEX_WAIT_MS = 25_000;
const MAX_LOG_CHARACTERS = 4000;
const SAMPLE = {
  file: "sample.md",
  text: "# Sample\n\nsvc finds this line.\n",
  query: "this line",
};

/** Throws SelfTestError when the server does not answer, and the reason of `signal` when that is aborted. */
export async function testMcpServer(
  openCredentials: OpenCredentials,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  const folder = mkdtempSync(join(tmpdir(), "svc-self-test-"));
  try {
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, SAMPLE.file), SAMPLE.text);
    const env = await createEnvironment(folder, openCredentials);
    return await askServer(project, env, signal);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The environment of the server: folders and a token of its own, and no settings of the user. */
async function createEnvironment(
  folder: string,
  openCredentials: OpenCredentials,
): Promise<Record<string, string>> {
  const env = {
    HOME: folder,
    SERVICE_HOME: join(folder, "data"),
    SERVICE_CONFIG_HOME: join(folder, "config"),
    // Keeps the test away from the keychain.
    SERVICE_DATA_KEY_FILE: join(folder, "data.key"),
  };
  const settings = createSettings(readConfiguration({ env, home: folder }));
  const credentials = openCredentials(settings);
  try {
    const { store } = await credentials.create();
    const { secret } = await createToken(store, { name: "self-test" });
    return { ...env, SERVICE_TOKEN: secret };
  } finally {
    await credentials.close();
  }
}

async function askServer(
  project: string,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  const { command, args } = mainEntry();
  const transport = new StdioClientTransport({
    command,
    args: [...args, "mcp", "--stdio", "--root", project],
    env,
    cwd: project,
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (text: unknown) => {
    log = `${log}${String(text)}`.slice(-MAX_LOG_CHARACTERS);
  });
  const client = new Client({ name: "svc doctor", version: productVersion() });
  const limits = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    timeout: TIMEOUT_MS,
  };
  try {
    await client.connect(transport, limits);
    const { tools } = await client.listTools({}, limits);
    // A search alone would not wait for the first index on a busy machine.
    const index = { source: project, wait_ms: INDEX_WAIT_MS };
    await client.callTool({ name: "index_source", arguments: index }, undefined, limits);
    const search = { name: "search_text", arguments: { pattern: SAMPLE.query } };
    const answer = await client.callTool(search, undefined, limits);
    const foundSample = answer.isError !== true && JSON.stringify(answer).includes(SAMPLE.file);
    return { toolCount: tools.length, foundSample };
  } catch (thrown) {
    signal.throwIfAborted();
    throw new SelfTestError(thrown, log.trimEnd().split("\n").at(-1) ?? "");
  } finally {
    await client.close();
  }
}
