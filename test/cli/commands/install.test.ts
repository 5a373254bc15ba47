import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, onTestFinished, test, vi } from "vitest";

import { plant } from "../../helpers/tree.ts";
import { createPlace, svc as program } from "../../spec/program.ts";
import { credentialMachine } from "../credential-machine.ts";

const MAIN = join(import.meta.dirname, "../../../src/main.ts");
const SERVE = [MAIN, "mcp", "--stdio"];

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}

describe("svc install CLIENT", () => {
  test("shows the entry, its file and the next step; the file has the entry as shown", async () => {
    const { svc, home } = credentialMachine();
    const file = join(home, ".claude.json");
    const { code, out, err } = await svc("install", "claude-code");
    const entry = { type: "stdio", command: process.execPath, args: SERVE };
    expect(code).toBe(0);
    expect(JSON.parse(read(file))).toEqual({ mcpServers: { svc: entry } });
    expect(out).toBe(
      `Added svc to Claude Code: ${file}\n\n${read(file)}\nStart a new session of Claude Code; /mcp shows the server.\n`,
    );
    expect(err).toMatch(
      /created token tok_[0-9a-f]{16} "svc install" and saved it for this machine\.\nsvc: Access token "svc install", saved on this machine, expires 2\S+Z\.\n/,
    );
  });

  test("a second time reports that the entry exists, and where", async () => {
    const { svc, home } = credentialMachine();
    await svc("install", "claude-code");
    const { code, out, err } = await svc("install", "claude-code");
    expect(code).toBe(0);
    expect(err).toMatch(
      /^svc: Access token "svc install", saved on this machine, expires \S+\.\n$/,
    );
    expect(out).toContain(`Claude Code already has svc: ${join(home, ".claude.json")}\n`);
  });

  test("reports what it changed and kept, and where the old file is", async () => {
    const { svc, home } = credentialMachine();
    const old =
      '{"mcpServers":{"svc":{"command":"/gone/svc","args":["mcp"],"env":{"A":"hidden"}}}}';
    plant(home, { ".cursor/mcp.json": old });
    const { out, err } = await svc("install", "cursor");
    expect(out).toContain("Changed command and args of svc in Cursor: ");
    expect(out).toContain("Kept your additions: env.\n");
    expect(out).not.toContain("hidden");
    expect(err).toContain(`the previous file is saved as ${home}/.cursor/mcp.json.svc-backup.\n`);
    expect(read(home, ".cursor/mcp.json.svc-backup")).toBe(old);
  });

  test("--json gives it to a program", async () => {
    const { svc, json, home } = credentialMachine();
    const first = await json("install", "codex", "--namespace", "docs");
    expect(first).toEqual({
      client: "codex",
      scope: "user",
      file: join(home, ".codex/config.toml"),
      state: "added",
      entry: {
        command: process.execPath,
        args: [...SERVE, "--namespace", "docs"],
        env_vars: ["SERVICE_TOKEN"],
      },
      changed: [],
      kept: [],
      backup: null,
      token_id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
      token: {
        source: "saved",
        token_id: expect.stringMatching(/^tok_/),
        name: "svc install",
        expires_at: expect.stringMatching(/Z$/),
      },
      next: expect.stringContaining("Codex"),
    });
    expect(JSON.parse((await svc("install", "codex", "--json")).out)).toMatchObject({
      state: "unchanged",
      token_id: null,
    });
  });

  test("for a misspelt client the error has the closest name and the list", async () => {
    const { svc } = credentialMachine();
    const { code, err } = await svc("install", "curser");
    expect(code).toBe(2);
    expect(err).toContain(
      "Did you mean cursor? Known clients: claude-code, claude-desktop, cursor,",
    );
  });
});

describe("the served folder", () => {
  test.each([
    ["claude-code", []],
    ["cursor", ["--root", "${workspaceFolder}"]],
    ["windsurf", ["--root", "PROJECT"]],
    ["claude-desktop", ["--root", "PROJECT"]],
  ])("of %s", async (client, root) => {
    const { json, root: project } = credentialMachine();
    const words = root.map((word) => (word === "PROJECT" ? project : word));
    expect(argsOf(await json("install", client))).toEqual([...SERVE, ...words]);
  });

  test("is the named one, for every client", async () => {
    const { json, root, home } = credentialMachine({}, { "sub/a.md": "a" });
    for (const client of ["claude-code", "cursor", "windsurf"]) {
      const shown = await json("install", client, "--root", join(root, "sub"));
      expect(argsOf(shown)).toEqual([...SERVE, "--root", join(root, "sub")]);
    }
    // A second installation from another folder, such as after an update, did not create another token.
    expect(read(home, ".codeium/windsurf/mcp_config.json")).toContain('sub"');
    expect(await json("install", "windsurf")).toMatchObject({ state: "unchanged" });
  });

  test("must be named in the home directory and outside of projects", async () => {
    const { svc, home } = credentialMachine();
    const wide = await svc("install", "windsurf", "--root", home);
    expect([wide.code, wide.err]).toEqual([2, expect.stringContaining("not index")]);
    const missing = await svc("install", "cursor", "--root", join(home, "gone"));
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("does not exist")]);
    expect(readdirSync(home)).toEqual([]);
  });
});

test("a client that starts servers elsewhere needs a named project if there is none", async () => {
  const place = createPlace();
  onTestFinished(place.remove);
  const { exit, stderr } = await program({ ...place, root: place.home }, "install", "windsurf");
  expect(exit).toBe(2);
  expect(stderr).toContain("Name the project to serve: `svc install windsurf --root DIR`.");
});

describe("--project", () => {
  test.each([
    ["claude-code", ".mcp.json", "mcpServers", []],
    ["vscode", ".vscode/mcp.json", "servers", ["--root", "${workspaceFolder}"]],
    ["jetbrains", ".junie/mcp/mcp.json", "mcpServers", ["--root", "PROJECT"]],
  ])("%s: writes %s", async (client, file, key, words) => {
    const { svc, root, home } = credentialMachine();
    const { code, out } = await svc("install", client, "--project");
    expect([code, out]).toEqual([0, expect.stringContaining(join(root, file))]);
    const args = [...SERVE, ...words.map((word) => (word === "PROJECT" ? root : word))];
    expect(JSON.parse(read(root, file))).toMatchObject({ [key]: { svc: { args } } });
    expect(readdirSync(home)).toEqual([]);
    await svc("uninstall", client, "--project");
    expect(JSON.parse(read(root, file))).toEqual({ [key]: {} });
  });

  test("the project may be named", async () => {
    const { svc, root } = credentialMachine({}, { "sub/a.md": "a" });
    await svc("install", "gemini", "--project", "--root", join(root, "sub"));
    expect(read(root, "sub/.gemini/settings.json")).not.toContain("--root");
  });

  test("a client without project files names those that have one", async () => {
    const { svc } = credentialMachine();
    const { code, err } = await svc("install", "windsurf", "--project");
    expect(code).toBe(2);
    expect(err).toContain("Windsurf has no configuration for a single project.");
    expect(err).toContain(
      "These clients have one: claude-code, cursor, vscode, zed, codex, gemini,",
    );
  });
});

describe("--print", () => {
  test("prints the entry as in a new file, and writes nothing", async () => {
    const { svc, home, data } = credentialMachine();
    plant(home, { ".gemini/settings.json": "{ broken" });
    const { code, out, err } = await svc("install", "gemini", "--print");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      mcpServers: {
        svc: {
          command: process.execPath,
          args: SERVE,
          env: { SERVICE_TOKEN: "$SERVICE_TOKEN" },
        },
      },
    });
    expect(read(home, ".gemini/settings.json")).toBe("{ broken");
    expect(existsSync(join(data, "credentials"))).toBe(false);
  });

  test("--json names the file", async () => {
    const { json, home } = credentialMachine();
    expect(await json("install", "zed", "--print")).toEqual({
      client: "zed",
      scope: "user",
      file: join(home, ".config/zed/settings.json"),
      entry: { command: process.execPath, args: SERVE },
    });
  });
});

describe("--remote", () => {
  const SERVER = "https://svc.example.org";

  test("names the server in the entry, which a later installation keeps", async () => {
    const { svc, home } = credentialMachine();
    const { code, err } = await svc("install", "claude-code", "--remote", `${SERVER}/mcp/`);
    expect(code).toBe(0);
    // A token of this machine would be useless there.
    expect(err).toContain(
      `svc: no token for ${SERVER} is saved yet: run \`svc auth login ${SERVER}\`.\n`,
    );
    expect(err).not.toContain("created token");
    const args = [...SERVE, "--remote", SERVER];
    expect(JSON.parse(read(home, ".claude.json")).mcpServers.svc.args).toEqual(args);
    expect((await svc("install", "claude-code")).out).toContain("Claude Code already has svc");
    await svc("install", "claude-code", "--namespace", "docs");
    expect(JSON.parse(read(home, ".claude.json")).mcpServers.svc.args).toEqual([
      ...SERVE,
      "--namespace",
      "docs",
      "--remote",
      SERVER,
    ]);
  });

  test("refuses an address that would send the token in the open, and writes nothing", async () => {
    const { svc, home } = credentialMachine();
    const { code, err } = await svc("install", "claude-code", "--remote", "http://svc.example.org");
    expect(code).toBe(2);
    expect(err).toContain("https");
    expect(existsSync(join(home, ".claude.json"))).toBe(false);
  });
});

describe("the token", () => {
  test("is created once and saved; no file of a client and no output has it", async () => {
    const { svc, json, home } = credentialMachine();
    const outputs = [await svc("install", "cursor"), await svc("install", "gemini")];
    expect(await json("auth", "token", "list")).toEqual([
      expect.objectContaining({ name: "svc install", namespaces: "all", default: true }),
    ]);
    const files = [".cursor/mcp.json", ".gemini/settings.json"].map((file) => read(home, file));
    expect(JSON.stringify([outputs, files])).not.toContain("svt_");
  });

  test("that is saved already is used", async () => {
    const { svc, json } = credentialMachine();
    await svc("auth", "token", "create", "--name", "mine", "--namespace", "docs", "--save");
    await svc("install", "cursor");
    expect(await json("auth", "token", "list")).toEqual([
      expect.objectContaining({ name: "mine", default: true }),
    ]);
  });

  test("that has expired is renewed with its limits, and one that ends soon names the command", async () => {
    const { svc, json } = credentialMachine();
    const limits = ["--namespace", "docs", "--read-only"];
    await svc("auth", "token", "create", "--name", "mine", "--save", ...limits);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * 86_400_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect((await svc("install", "cursor")).err).toMatch(/^svc: renewed token tok_\w+ "mine"\.\n/);
    const renewed = { name: "mine", namespaces: ["docs"], read_only: true, default: true };
    expect(await json("auth", "token", "list")).toEqual([expect.objectContaining(renewed)]);
    vi.setSystemTime(Date.now() + 25 * 86_400_000);
    expect((await svc("install", "cursor")).err).toContain(
      "Run `svc auth token renew` to renew it.",
    );
  });

  test("is created once by processes that install at the same time, and no entry is lost", async () => {
    const place = createPlace();
    onTestFinished(place.remove);
    const clients = ["cursor", "gemini", "cursor", "codex"];
    const runs = await Promise.all(clients.map((client) => program(place, "install", client)));
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    const { stdout } = await program(place, "auth", "token", "list", "--json");
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(runs.filter(({ stdout: out }) => out.startsWith("Cursor already has svc"))).toHaveLength(
      1,
    );
    expect(Object.keys(JSON.parse(read(place.home, ".cursor/mcp.json")).mcpServers)).toEqual([
      "svc",
    ]);
  });

  test("that was revoked is not used again", async () => {
    const { svc, json } = credentialMachine();
    const token = await json("auth", "token", "create", "--name", "mine", "--save");
    await svc("auth", "token", "revoke", Object(token).token_id);
    await svc("install", "cursor");
    expect(await json("auth", "token", "list")).toEqual([
      expect.objectContaining({ name: "svc install", default: true }),
    ]);
  });

  test("cannot come from a damaged store: the file is not written, and the error has the fix", async () => {
    const { svc, home, data } = credentialMachine();
    await svc("install", "cursor");
    const store = join(data, "credentials");
    const database = readdirSync(store).find((name) => name.endsWith(".db")) ?? "";
    writeFileSync(join(store, database), Buffer.alloc(4096, 7));
    const { code, err } = await svc("install", "gemini");
    expect(code).toBe(2);
    expect(err).toMatch(/store/);
    expect(existsSync(join(home, ".gemini"))).toBe(false);
  });
});

describe("svc install without arguments", () => {
  test("lists every client: whether it is here, and whether svc is in it", async () => {
    const { svc, home, root } = credentialMachine();
    plant(home, {
      ".cursor/mcp.json": "{ broken",
      ".gemini/": "",
      ".codex/config.toml": '[mcp_servers.svc]\ncommand = "/gone/svc"\n',
      ".junie/mcp/mcp.json": '{"mcpServers":{"svc":{"url":"https://x.example.com"}}}',
    });
    plant(root, { ".mcp.json": "{}" });
    await svc("install", "zed");
    const { code, out } = await svc("install");
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "));
    expect(lines).toEqual([
      "CLIENT | FOUND | SVC | SCOPE | FILE",
      `claude-code | no | no | user | ${home}/.claude.json`,
      `claude-code | no | no | project | ${root}/.mcp.json`,
      `claude-desktop | no | no | user | ${home}/.config/Claude/claude_desktop_config.json`,
      `cursor | yes | invalid file | user | ${home}/.cursor/mcp.json`,
      `vscode | no | no | user | ${home}/.config/Code/User/mcp.json`,
      `windsurf | no | no | user | ${home}/.codeium/windsurf/mcp_config.json`,
      `zed | yes | yes | user | ${home}/.config/zed/settings.json`,
      `codex | yes | program missing | user | ${home}/.codex/config.toml`,
      `gemini | yes | no | user | ${home}/.gemini/settings.json`,
      `jetbrains | yes | remote server | user | ${home}/.junie/mcp/mcp.json`,
      `opencode | no | no | user | ${home}/.config/opencode/opencode.json`,
      "",
      "Run `svc install CLIENT` to add svc to a client.",
      "",
    ]);
  });

  test("--json has the same and the files of the project; a program in PATH counts", async () => {
    const bin = credentialMachine().home;
    writeFileSync(join(bin, "opencode"), "");
    const { svc, home, root } = credentialMachine({ PATH: bin });
    await svc("install", "opencode");
    const listed: unknown = JSON.parse((await svc("install", "--json")).out);
    expect(listed).toHaveLength(10);
    expect(listed).toContainEqual({
      client: "opencode",
      name: "opencode",
      found: true,
      files: [
        {
          scope: "user",
          file: join(home, ".config/opencode/opencode.json"),
          exists: true,
          installed: true,
          command: process.execPath,
          command_exists: true,
          problem: null,
        },
        {
          scope: "project",
          file: join(root, "opencode.json"),
          exists: false,
          installed: false,
          command: null,
          command_exists: null,
          problem: null,
        },
      ],
    });
  });

  test("takes no other flag", async () => {
    const { svc } = credentialMachine();
    const { code, err } = await svc("install", "--project");
    expect([code, err]).toEqual([2, expect.stringContaining("Name a client: claude-code,")]);
  });
});

describe("svc uninstall", () => {
  test("removes the entry, names the file, and keeps the token", async () => {
    const { svc, json, home } = credentialMachine();
    const file = join(home, ".cursor/mcp.json");
    await svc("install", "cursor");
    const { code, out, err } = await svc("uninstall", "cursor");
    expect([code, out]).toEqual([0, `Removed svc from Cursor: ${file}\n`]);
    expect(err).toBe(`svc: the previous file is saved as ${file}.svc-backup.\n`);
    expect(JSON.parse(read(file))).toEqual({ mcpServers: {} });
    expect(await json("auth", "token", "list")).toHaveLength(1);
  });

  test("without an entry reports that, and is not an error", async () => {
    const { svc, json, home } = credentialMachine();
    const { code, out } = await svc("uninstall", "zed");
    const file = join(home, ".config/zed/settings.json");
    expect([code, out]).toEqual([0, `svc is not in Zed: ${file}\n`]);
    expect(await json("uninstall", "zed")).toEqual({
      client: "zed",
      scope: "user",
      file,
      state: "absent",
      backup: null,
    });
  });
});

function argsOf(shown: unknown): unknown {
  return Object(Object(shown).entry).args;
}

test("a variable that only the shell has is named: the client starts svc without it", async () => {
  const { svc } = credentialMachine();
  const { err } = await svc("install", "cursor");
  expect(err).toContain(
    "svc: SERVICE_HOME is set here. Set it for Cursor too, or svc uses another",
  );
  expect(err).toContain("svc: SERVICE_CONFIG_HOME is set here.");
});

test("a read-only file is refused before a token is created", async () => {
  const { svc, json, home } = credentialMachine();
  const file = join(home, ".cursor/mcp.json");
  mkdirSync(dirname(file));
  writeFileSync(file, "{}", { mode: 0o444 });
  const { code, err } = await svc("install", "cursor");
  expect([code, err]).toEqual([2, expect.stringContaining("is read-only")]);
  expect(statSync(file).mode & 0o777).toBe(0o444);
  expect(await json("auth", "token", "list")).toEqual([]);
});
