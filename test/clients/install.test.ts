import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

import { describe, expect, test } from "vitest";

import { installation, type Installation } from "./installation.ts";

const CURSOR = "home/.cursor/mcp.json";
const OTHERS = '{\n  "mcpServers": {\n    "o": { "command": "x" }\n  }\n}\n';
const WITH_SVC = `{
  "mcpServers": {
    "o": { "command": "x" },
    "svc": {
      "command": "/opt/svc",
      "args": ["mcp", "--stdio"]
    }
  }
}
`;

function json(machine: Installation, name = CURSOR): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(machine.path(name), "utf8"));
}

describe("the entry", () => {
  test("is added to the others; the previous content is kept in a backup", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    const outcome = await machine.install(machine.target("cursor"));
    expect(outcome).toEqual({
      state: "added",
      entry: { command: "/opt/svc", args: ["mcp", "--stdio"] },
      changed: [],
      unmanaged: [],
      backup: machine.path(`${CURSOR}.svc-backup`),
    });
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(WITH_SVC);
    expect(readFileSync(machine.path(`${CURSOR}.svc-backup`), "utf8")).toBe(OTHERS);
    expect(readdirSync(machine.path("home/.cursor"))).toEqual(["mcp.json", "mcp.json.svc-backup"]);
  });

  test("that exists already leaves the file unchanged", async () => {
    const machine = installation({ [CURSOR]: WITH_SVC });
    utimesSync(machine.path(CURSOR), 1000, 1000);
    const before = statSync(machine.path(CURSOR), { bigint: true });
    expect(await machine.install(machine.target("cursor"))).toMatchObject({
      state: "unchanged",
      backup: undefined,
    });
    const { mtimeNs, ino, ctimeNs } = statSync(machine.path(CURSOR), { bigint: true });
    expect([mtimeNs, ino, ctimeNs]).toEqual([before.mtimeNs, before.ino, before.ctimeNs]);
    expect(existsSync(machine.path(`${CURSOR}.svc-backup`))).toBe(false);
  });

  test("of another version is updated; added keys, comments and flags stay", async () => {
    const mine = `{
  "mcpServers": {
    "svc": {
      // my settings
      "command": "/old/svc",
      "args": ["mcp", "--stdio", "--read-only", "--root=/src/shop", "--namespace", "shop"],
      "env": { "SERVICE_LOG_LEVEL": "debug", "SERVICE_TOKEN": "secret of mine" },
      "disabled": false
    }
  }
}`;
    const machine = installation({ [CURSOR]: mine });
    const outcome = await machine.install(machine.target("cursor"));
    const args = ["mcp", "--stdio", "--root", "/src/shop", "--namespace", "shop", "--read-only"];
    expect(outcome).toMatchObject({
      state: "changed",
      entry: { command: "/opt/svc", args },
      changed: ["command", "args"],
      unmanaged: ["env", "disabled"],
    });
    expect(JSON.stringify(outcome)).not.toContain("secret of mine");
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(
      mine
        .replace("/old/svc", "/opt/svc")
        .replace(
          '"--read-only", "--root=/src/shop", "--namespace", "shop"',
          '"--root", "/src/shop", "--namespace", "shop", "--read-only"',
        ),
    );
    expect((await machine.install(machine.target("cursor"))).state).toBe("unchanged");
  });

  test("serves the requested folder and namespace", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    const target = machine.target("cursor");
    await machine.install(target, { root: "/a", namespace: "one" });
    await machine.install(target, { root: "/b", namespace: "two" });
    const args = ["mcp", "--stdio", "--root", "/b", "--namespace", "two"];
    expect(json(machine)["mcpServers"]?.["svc"]).toMatchObject({ args });
  });

  test("of Gemini CLI and Codex gets the token's name, in addition to existing values", async () => {
    const machine = installation({
      "home/.gemini/settings.json": '{"mcpServers":{"svc":{"env":{"A":"1"}}}}',
      "home/.codex/config.toml": '[mcp_servers.svc]\nenv_vars = ["A"] # mine\n',
    });
    await machine.install(machine.target("gemini"));
    await machine.install(machine.target("codex"));
    expect(json(machine, "home/.gemini/settings.json")).toMatchObject({
      mcpServers: { svc: { env: { A: "1", SERVICE_TOKEN: "$SERVICE_TOKEN" } } },
    });
    expect(readFileSync(machine.path("home/.codex/config.toml"), "utf8")).toBe(
      '[mcp_servers.svc]\nenv_vars = ["A", "SERVICE_TOKEN"] # mine\ncommand = "/opt/svc"\nargs = ["mcp", "--stdio"]\n',
    );
    const gemini = await machine.install(machine.target("gemini"));
    expect([gemini.state, gemini.unmanaged]).toEqual(["unchanged", []]);
  });

  test("for a remote server is not changed", async () => {
    const text = '{"mcpServers":{"svc":{"type":"http","url":"https://team.example.com/mcp"}}}';
    const machine = installation({ [CURSOR]: text });
    const target = machine.target("cursor");
    await expect(machine.install(target)).rejects.toThrow(/has an entry "svc" for a remote server/);
    await expect(machine.uninstall(target)).rejects.toThrow(
      /has an entry "svc" for a remote server/,
    );
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(text);
  });

  test("is removed without other entries, and only once", async () => {
    const machine = installation({ [CURSOR]: WITH_SVC });
    expect(await machine.uninstall(machine.target("cursor"))).toMatchObject({ state: "removed" });
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(OTHERS);
    expect(readFileSync(machine.path(`${CURSOR}.svc-backup`), "utf8")).toBe(WITH_SVC);
    expect(await machine.uninstall(machine.target("cursor"))).toMatchObject({
      state: "absent",
      backup: undefined,
    });
  });
});

describe("the file", () => {
  test.each([
    ["no file", {}],
    ["an empty file", { [CURSOR]: "" }],
    ["blanks", { [CURSOR]: "\n  \n" }],
    ["an empty object", { [CURSOR]: "{}\n" }],
  ])("is created from %s", async (_, files) => {
    const machine = installation(files);
    await machine.install(machine.target("cursor"));
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(
      WITH_SVC.replace('    "o": { "command": "x" },\n', ""),
    );
  });

  test("that is new can be read only by its owner, one of a project by all", async () => {
    const machine = installation({});
    await machine.install(machine.target("cursor"));
    await machine.install(machine.target("cursor", "project"));
    const modes = [CURSOR, "project/.cursor/mcp.json"].map(
      (name) => statSync(machine.path(name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o644]);
  });

  test("that does not exist is not created by uninstalling", async () => {
    const machine = installation({});
    expect((await machine.uninstall(machine.target("cursor"))).state).toBe("absent");
    expect(existsSync(machine.path("home/.cursor"))).toBe(false);
  });

  test("keeps its mode and its owner", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    const file = machine.path(CURSOR);
    // Only root may change the owner of a file.
    const owner = process.getuid?.() === 0 ? 12_345 : (process.getuid?.() ?? 0);
    if (process.getuid?.() === 0) chownSync(file, owner, owner);
    chmodSync(file, 0o640);
    await machine.install(machine.target("cursor"));
    for (const name of [file, `${file}.svc-backup`]) {
      const { mode, uid } = statSync(name);
      expect([mode & 0o777, uid]).toEqual([0o640, owner]);
    }
  });

  test("behind links is written in place, and the links stay", async () => {
    const machine = installation({ "dotfiles/cursor/mcp.json": OTHERS, "home/.cursor/": "" });
    symlinkSync("../../dotfiles/link.json", machine.path(CURSOR));
    symlinkSync("cursor/mcp.json", machine.path("dotfiles/link.json"));
    const { backup } = await machine.install(machine.target("cursor"));
    expect(readFileSync(machine.path("dotfiles/cursor/mcp.json"), "utf8")).toBe(WITH_SVC);
    expect(lstatSync(machine.path(CURSOR)).isSymbolicLink()).toBe(true);
    expect(lstatSync(machine.path("dotfiles/link.json")).isSymbolicLink()).toBe(true);
    expect(backup).toBe(machine.path("dotfiles/cursor/mcp.json.svc-backup"));
  });

  test("behind a dangling link is created at the target of the link", async () => {
    const machine = installation({ "dotfiles/": "", "home/.cursor/": "" });
    symlinkSync(machine.path("dotfiles/mcp.json"), machine.path(CURSOR));
    await machine.install(machine.target("cursor"));
    expect(json(machine, "dotfiles/mcp.json")).toHaveProperty("mcpServers.svc");
  });

  test("of a project must not lead out of the project", async () => {
    const machine = installation({ "outside/mcp.json": OTHERS, "project/.cursor/": "" });
    symlinkSync(machine.path("outside/mcp.json"), machine.path("project/.cursor/mcp.json"));
    const target = machine.target("cursor", "project");
    await expect(machine.install(target)).rejects.toThrow(/leads out of the project/);
    expect(readFileSync(machine.path("outside/mcp.json"), "utf8")).toBe(OTHERS);

    symlinkSync(machine.path("outside"), machine.path("project/.vscode"));
    await expect(machine.install(machine.target("vscode", "project"))).rejects.toThrow(
      /leads out of the project/,
    );
    expect(readdirSync(machine.path("outside"))).toEqual(["mcp.json"]);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ["broken JSON", '{\n  "mcpServers": {\n    "o": }\n}', /mcp\.json:3:10 is not valid JSON: .*/],
    ["an array", "[]", /does not hold an object/],
    ["servers in an array", '{"mcpServers": []}', /has a "mcpServers" that is not an object/],
    ["an entry that is a text", '{"mcpServers": {"svc": "x"}}', /"mcpServers\.svc" that is not/],
    ["UTF-16", Buffer.from('\uFEFF{"mcpServers": {}}', "utf16le"), /is not text in UTF-8/],
    ["bytes cut short", Buffer.from([0x7b, 0x22, 0xc3, 0x22]), /is not text in UTF-8/],
  ])("with %s is refused and not changed", async (_, content, message) => {
    const machine = installation({ [CURSOR]: content });
    const target = machine.target("cursor");
    const refusal = { code: "CLIENT_CONFIG", message: expect.stringMatching(message) };
    await expect(machine.install(target)).rejects.toMatchObject(refusal);
    await expect(machine.uninstall(target)).rejects.toMatchObject(refusal);
    expect(readFileSync(machine.path(CURSOR))).toEqual(Buffer.from(content));
    expect(readdirSync(machine.path("home/.cursor"))).toEqual(["mcp.json"]);
  });

  test("with broken TOML is refused with the position and a hint", async () => {
    const machine = installation({ "home/.codex/config.toml": 'model = "x"\n[tui\n' });
    await expect(machine.install(machine.target("codex"))).rejects.toMatchObject({
      code: "CLIENT_CONFIG",
      message: expect.stringMatching(/config\.toml:2:\d+ is not valid TOML/),
      hint: expect.stringMatching(/Fix that line.*`svc install codex --print`/),
    });
  });

  test("with the servers in one inline table is refused, with a hint for a manual edit", async () => {
    const text = 'mcp_servers = { o = { command = "x" } }\n';
    const machine = installation({ "home/.codex/config.toml": text });
    await expect(machine.install(machine.target("codex"))).rejects.toMatchObject({
      code: "CLIENT_CONFIG",
      hint: expect.stringContaining("svc install codex --print"),
    });
    expect(readFileSync(machine.path("home/.codex/config.toml"), "utf8")).toBe(text);
  });

  test("that is read-only is refused, and so is a folder", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    const file = machine.path(CURSOR);
    const target = machine.target("cursor");
    chmodSync(file, 0o444);
    await expect(machine.install(target)).rejects.toThrow(/mcp\.json is read-only/);
    chmodSync(file, 0o644);
    chmodSync(dirname(file), 0o555);
    await expect(machine.install(target)).rejects.toThrow(/\.cursor is read-only/);
    chmodSync(dirname(file), 0o755);
    expect(readFileSync(file, "utf8")).toBe(OTHERS);
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
  });

  test("that is a folder or leads to itself is refused", async () => {
    const machine = installation({ [`${CURSOR}/`]: "", "home/.gemini/": "" });
    await expect(machine.install(machine.target("cursor"))).rejects.toThrow(/not a plain file/);
    symlinkSync("settings.json", machine.path("home/.gemini/settings.json"));
    await expect(machine.install(machine.target("gemini"))).rejects.toThrow(/leads to itself/);
  });

  test("of opencode is the one that contains svc, else the existing one", async () => {
    const machine = installation({ "home/.config/opencode/opencode.jsonc": "{} // mine\n" });
    const folder = machine.path("home/.config/opencode");
    expect(machine.target("opencode").path).toBe(`${folder}/opencode.jsonc`);
    writeFileSync(`${folder}/opencode.json`, "{}");
    expect(machine.target("opencode").path).toBe(`${folder}/opencode.json`);
    writeFileSync(`${folder}/opencode.jsonc`, '{"mcp":{"svc":{"command":["svc"]}}}');
    expect(machine.target("opencode").path).toBe(`${folder}/opencode.jsonc`);
  });
});

describe("concurrent changes", () => {
  test("a change by another program between reading and writing is not lost", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    let writes = 0;
    const prepare = async (): Promise<void> => {
      writes++;
      writeFileSync(machine.path(CURSOR), OTHERS.replace('"o"', '"new"'));
    };
    await machine.install(machine.target("cursor"), { prepare });
    expect(writes).toBe(1);
    expect(Object.keys(json(machine)["mcpServers"] ?? {})).toEqual(["new", "svc"]);
  });

  test("a file created meanwhile is not replaced", async () => {
    const machine = installation({});
    const prepare = async (): Promise<void> => {
      mkdirSync(machine.path("home/.cursor"));
      writeFileSync(machine.path(CURSOR), OTHERS);
    };
    await machine.install(machine.target("cursor"), { prepare });
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(WITH_SVC);
  });

  test("a failure before the write leaves the file unchanged", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    const target = machine.target("cursor");
    const options = { prepare: () => Promise.reject(new Error("no store")) };
    await expect(machine.install(target, options)).rejects.toThrow("no store");
    expect(readFileSync(machine.path(CURSOR), "utf8")).toBe(OTHERS);
    expect(readdirSync(machine.path("home/.cursor"))).toEqual(["mcp.json"]);
  });

  test("nothing is prepared for a file that cannot be written", async () => {
    const machine = installation({ [CURSOR]: OTHERS });
    chmodSync(machine.path(CURSOR), 0o444);
    let isPrepared = false;
    const prepare = async (): Promise<void> => {
      isPrepared = true;
    };
    await expect(machine.install(machine.target("cursor"), { prepare })).rejects.toThrow(
      /read-only/,
    );
    expect(isPrepared).toBe(false);
  });
});
