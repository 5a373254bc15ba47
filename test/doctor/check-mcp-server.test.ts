// `svc doctor` starts the program as an MCP server, and asks it through the client of the MCP SDK.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { silentLogger } from "../../src/base/log.ts";
import { sealedBackend } from "../../src/credentials/sealed/sealed-backend.ts";
import { checkMcpServer } from "../../src/doctor/check-mcp-server.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { testMcpServer } from "../../src/doctor/mcp-self-test.ts";
import { TOOL_LISTINGS } from "../../src/tools/tool-listings.ts";
import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";
import { svcProgram } from "../helpers/svc-program.ts";

/** Opened as in src/app.ts. */
const credentialsOf: Parameters<typeof testMcpServer>[0] = (settings) =>
  sealedBackend({ settings, logger: silentLogger });

let temporary = "";
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "svc-temporary-"));
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
  });
});

const FIX = "Run `svc mcp --stdio </dev/null` to see its messages, or install svc again.";

/** Replaces the program with this file until the test ends. */
function replaceProgram(file: string): void {
  const { execPath } = process;
  process.execPath = file;
  onTestFinished(() => {
    process.execPath = execPath;
  });
}

/**
 * Replaces the sources with the program that `svcProgram` starts, because the sources take six times as long to start.
 */
function useProgram(): void {
  const file = join(temporary, "program");
  const words = svcProgram().map((word) => `'${word}'`);
  writeFileSync(file, `#!/bin/sh\nshift\nexec ${words.join(" ")} "$@"\n`, { mode: 0o755 });
  replaceProgram(file);
}

/** The findings of the check when this script replaces the program. */
async function findingWith(script: string): Promise<readonly Finding[]> {
  const file = join(temporary, "program");
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const findings = await findingAt(file);
  rmSync(file);
  return findings;
}

async function findingAt(file: string): Promise<readonly Finding[]> {
  replaceProgram(file);
  const signal = new AbortController().signal;
  return checkMcpServer.run(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check uses nothing else
    { signal, credentialsOf } as Parameters<typeof checkMcpServer.run>[0],
    { namespaces: [], problem: undefined },
  );
}

test("the server answers, and the test leaves nothing behind", async () => {
  useProgram();
  expect(await testMcpServer(credentialsOf, new AbortController().signal)).toEqual({
    toolCount: TOOL_LISTINGS.length,
    foundSample: true,
  });
  expect(readdirSync(temporary)).toEqual(["program"]);
});

test("svc doctor says so in a line, with settings of the user that no server would start with", async () => {
  const bare = credentialMachine();
  const env = { TMPDIR: temporary, SERVICE_LOG_LEVEL: "loud", SERVICE_TOKEN: "svt_of_the_user" };
  const { out } = await runProgram(bare, ["doctor"], { env });
  expect(out).toContain(
    `ok       MCP server: answers with ${TOOL_LISTINGS.length} tools, and a test search found its line\n`,
  );
  expect(out).toContain("failed   settings: ");
  expect(readdirSync(temporary).filter((name) => name.startsWith("svc-self-test"))).toEqual([]);
  expect(readdirSync(bare.data)).toEqual([]);
});

test("a program that ends at once fails, with the last line that it wrote", async () => {
  expect(await findingWith("echo first >&2; echo no memory >&2; exit 3")).toEqual([
    {
      check: "MCP server",
      state: "failed",
      what: "does not answer: MCP error -32000: Connection closed (no memory)",
      mend: FIX,
    },
  ]);
  expect(readdirSync(temporary)).toEqual([]);
});

test("a program that cannot be started fails", async () => {
  const [finding] = await findingAt(join(temporary, "missing"));
  expect(finding).toMatchObject({ check: "MCP server", state: "failed", mend: FIX });
});

test("a server that answers the handshake wrongly fails", async () => {
  const answer = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"1999-01-01"}}';
  const [finding] = await findingWith(`read line; echo '${answer}'; cat >/dev/null`);
  expect(finding).toMatchObject({ check: "MCP server", state: "failed", mend: FIX });
  expect(finding?.what).toMatch(/^does not answer: /);
});

test("without a temporary folder there is a warning, and the other checks go on", async () => {
  const bare = credentialMachine();
  const missing = join(temporary, "missing");
  vi.stubEnv("TMPDIR", missing);
  const { code, out } = await bare.svc("doctor");
  expect(code).toBe(0);
  expect(out).toContain(`warning  MCP server: not tested: ENOENT`);
  expect(out).toContain("Set TMPDIR to a folder that svc can write.\n");
  expect(out).toContain("ok       leftovers: none\n");
});

test("an interruption ends the server and removes the folder", async () => {
  const file = join(temporary, "program");
  const started = join(temporary, "started");
  mkdirSync(started);
  writeFileSync(file, `#!/bin/sh\necho $$ > ${started}/pid\nexec cat >/dev/null\n`, {
    mode: 0o755,
  });
  replaceProgram(file);
  const interrupt = new AbortController();
  const running = testMcpServer(credentialsOf, interrupt.signal);
  await vi.waitUntil(() => readdirSync(started).length > 0, { timeout: 20_000 });
  interrupt.abort(new Error("interrupted"));
  await expect(running).rejects.toThrow("interrupted");
  expect(readdirSync(temporary).toSorted()).toEqual(["program", "started"]);
});
