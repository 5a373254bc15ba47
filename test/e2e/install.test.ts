// The entry from `svc install` starts the built program as its client would, without a token in the environment.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";

import { createPlace } from "../spec/program.ts";

/** As a user types it, found by the shell in PATH. */
const TYPED = "svc";
const SVC = join(import.meta.dirname, "../../dist/svc");

test("the entry for Cursor, written and read back, starts a server that answers", async () => {
  const place = createPlace({ "docs/bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
  onTestFinished(place.remove);
  const bin = join(place.home, ".local/bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(SVC, join(bin, "svc"));
  const env = {
    HOME: place.home,
    PATH: `${bin}:/usr/bin:/bin`,
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  const { status, stderr } = spawnSync(TYPED, ["install", "cursor"], { cwd: place.root, env });
  expect([status, String(stderr)]).toEqual([
    0,
    expect.stringContaining('"svc install" and saved it'),
  ]);

  const { svc } = JSON.parse(readFileSync(join(place.home, ".cursor/mcp.json"), "utf8")).mcpServers;
  expect(svc).toEqual({
    command: join(bin, "svc"),
    args: ["mcp", "--stdio", "--root", "${workspaceFolder}"],
  });
  // Cursor replaces the placeholder if a folder is open, and sometimes passes it unreplaced.
  for (const root of [place.root, "${workspaceFolder}"]) {
    const args = svc.args.map((arg: string) => arg.replace("${workspaceFolder}", root));
    const transport = new StdioClientTransport({
      ...svc,
      args,
      cwd: place.root,
      env,
      stderr: "ignore",
    });
    const client = new Client({ name: "cursor", version: "1.0.0" });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(12);
    const answer = await client.callTool({
      name: "search_context",
      arguments: { query: "what does a hive live on in winter" },
    });
    await client.close();
    expect(answer).toHaveProperty(
      ["content", 0, "text"],
      "docs/bees.md:1-3  Bees\n# Bees\n\nA hive winters on its own honey.",
    );
  }
});
