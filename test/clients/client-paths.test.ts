import { describe, expect, test } from "vitest";

import { CLIENTS, type ClientDefinition } from "../../src/clients/definitions.ts";
import { requireClient } from "../../src/clients/find-client.ts";
import {
  platformOf,
  programPaths,
  markerPaths,
  userConfigPaths,
  type ClientMachine,
} from "../../src/clients/client-paths.ts";

const linux: ClientMachine = { platform: "linux", home: "/home/ann", env: {} };
const mac: ClientMachine = { platform: "mac", home: "/Users/ann", env: {} };
const windows: ClientMachine = { platform: "windows", home: "C:\\Users\\ann", env: {} };

/** Client id: path on Linux, on macOS, on Windows. */
const FILES: Readonly<Record<string, readonly [string, string, string]>> = {
  "claude-code": [
    "/home/ann/.claude.json",
    "/Users/ann/.claude.json",
    "C:\\Users\\ann\\.claude.json",
  ],
  "claude-desktop": [
    "/home/ann/.config/Claude/claude_desktop_config.json",
    "/Users/ann/Library/Application Support/Claude/claude_desktop_config.json",
    "C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
  ],
  cursor: [
    "/home/ann/.cursor/mcp.json",
    "/Users/ann/.cursor/mcp.json",
    "C:\\Users\\ann\\.cursor\\mcp.json",
  ],
  vscode: [
    "/home/ann/.config/Code/User/mcp.json",
    "/Users/ann/Library/Application Support/Code/User/mcp.json",
    "C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\mcp.json",
  ],
  windsurf: [
    "/home/ann/.codeium/windsurf/mcp_config.json",
    "/Users/ann/.codeium/windsurf/mcp_config.json",
    "C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json",
  ],
  zed: [
    "/home/ann/.config/zed/settings.json",
    "/Users/ann/.config/zed/settings.json",
    "C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json",
  ],
  codex: [
    "/home/ann/.codex/config.toml",
    "/Users/ann/.codex/config.toml",
    "C:\\Users\\ann\\.codex\\config.toml",
  ],
  gemini: [
    "/home/ann/.gemini/settings.json",
    "/Users/ann/.gemini/settings.json",
    "C:\\Users\\ann\\.gemini\\settings.json",
  ],
  jetbrains: [
    "/home/ann/.junie/mcp/mcp.json",
    "/Users/ann/.junie/mcp/mcp.json",
    "C:\\Users\\ann\\.junie\\mcp\\mcp.json",
  ],
  opencode: [
    "/home/ann/.config/opencode/opencode.json",
    "/Users/ann/.config/opencode/opencode.json",
    "C:\\Users\\ann\\.config\\opencode\\opencode.json",
  ],
};

const ALL: readonly ClientDefinition[] = CLIENTS;

test.each(ALL)("the file of $id on each platform", (client) => {
  const found = [linux, mac, windows].map((machine) => userConfigPaths(client, machine)[0]);
  expect(found).toEqual(FILES[client.id]);
});

test("every client is in the table above", () => {
  expect(ALL.map(({ id }) => id)).toEqual(Object.keys(FILES));
});

describe("variables move the files", () => {
  test.each([
    ["zed", "XDG_CONFIG_HOME", "/x", "/x/zed/settings.json"],
    ["zed", "XDG_CONFIG_HOME", "relative", "/home/ann/.config/zed/settings.json"],
    ["codex", "CODEX_HOME", "/x", "/x/config.toml"],
    ["codex", "CODEX_HOME", "", "/home/ann/.codex/config.toml"],
    ["claude-code", "CLAUDE_CONFIG_DIR", "/x", "/x/.claude.json"],
    ["gemini", "GEMINI_CLI_HOME", "/x", "/x/.gemini/settings.json"],
    ["cursor", "XDG_CONFIG_HOME", "/x", "/home/ann/.cursor/mcp.json"],
  ])("%s: %s=%s", (id, variable, value, path) => {
    expect(at(id, linux, { [variable]: value })).toBe(path);
  });

  test("APPDATA on Windows", () => {
    const env = { APPDATA: "D:\\Roaming" };
    expect(at("vscode", windows, env)).toBe("D:\\Roaming\\Code\\User\\mcp.json");
    expect(at("zed", windows, { APPDATA: "Roaming" })).toBe(
      "C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json",
    );
  });
});

test("the home directory alone does not count as a client", () => {
  expect(markerPaths(requireClient("claude-code"), linux)).toEqual([
    "/home/ann/.claude",
    "/home/ann/.claude.json",
  ]);
  expect(markerPaths(requireClient("cursor"), windows)).toEqual([
    "C:\\Users\\ann\\.cursor\\mcp.json",
    "C:\\Users\\ann\\.cursor",
  ]);
});

test("programs are searched in PATH, with the extensions of the platform", () => {
  const zed = requireClient("zed");
  expect(programPaths(zed, { ...linux, env: { PATH: "/bin::/x" } })).toEqual([
    "/bin/zed",
    "/bin/zeditor",
    "/x/zed",
    "/x/zeditor",
  ]);
  expect(programPaths(requireClient("vscode"), { ...windows, env: { PATH: "C:\\a;" } })).toEqual([
    "C:\\a\\code.exe",
    "C:\\a\\code.cmd",
    "C:\\a\\code.bat",
  ]);
});

test.each([
  ["linux", "linux"],
  ["freebsd", "linux"],
  ["darwin", "mac"],
  ["win32", "windows"],
] as const)("%s is %s", (name, platform) => {
  expect(platformOf(name)).toBe(platform);
});

test("an unknown client gets the closest match, and always the list", () => {
  expect(() => requireClient("curser")).toThrow(
    expect.objectContaining({
      code: "USAGE",
      hint: `Did you mean cursor? Known clients: ${Object.keys(FILES).join(", ")}.`,
    }),
  );
  expect(() => requireClient("emacs")).toThrow(/Unknown client "emacs"/);
  expect(requireClient("VSCode").id).toBe("vscode");
});

function at(id: string, machine: ClientMachine, env: ClientMachine["env"]): string | undefined {
  return userConfigPaths(requireClient(id), { ...machine, env })[0];
}
