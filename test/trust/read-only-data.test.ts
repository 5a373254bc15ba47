// A data directory that svc may read but not write can be searched.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { svcProgram } from "../helpers/svc-program.ts";
import { createTokenFor, output } from "../spec/credential-commands.ts";
import { createPlace, type Place, type Run } from "../spec/program.ts";
import { promise } from "./promise.ts";

const FILES = {
  "src/wheel.ts": "export function turnWheel(): number {\n  return spokes();\n}\n",
  "src/spokes.ts": "export function spokes(): number {\n  return 12;\n}\n",
};
/** Commands and tools that read the index, each with a word of its answer. */
const COMMANDS: readonly (readonly [readonly string[], string])[] = [
  [["search", "turn the wheel"], "wheel.ts"],
  [["grep", "spokes"], "spokes.ts"],
  [["symbols", "turnWheel"], "turnWheel"],
  [["refs", "spokes"], "wheel.ts"],
  [["outline"], "src"],
  [["status"], "project"],
  [["namespaces", "list"], "project"],
];

/** Runs the program as a user to whom file modes apply, because they do not apply to root. */
function run({ root, home }: Place, words: readonly string[], env = {}, input = ""): Run {
  const isRoot = process.getuid?.() === 0;
  const bound = isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  const [command = "", ...args] = [...bound, ...svcProgram(), ...words];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    input,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      SERVICE_HOME: join(home, "data"),
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
      ...env,
    },
  });
  return { exit: status, stdout, stderr };
}

function setModes(path: string, access: "r" | "rw"): void {
  const isFolder = lstatSync(path).isDirectory();
  if (isFolder && access === "rw") chmodSync(path, 0o700);
  if (isFolder) for (const name of readdirSync(path)) setModes(join(path, name), access);
  const modes = isFolder ? { r: 0o500, rw: 0o700 } : { r: 0o400, rw: 0o600 };
  chmodSync(path, modes[access]);
}

/** Names, sizes and times of all files. */
function listing(root: string): string {
  return execFileSync("find", [root, "-printf", "%P %m %s %T@\\n"], { encoding: "utf8" });
}

/** A line that calls a tool. */
function call(id: number, name: string, input: unknown): string {
  const params = { name, arguments: input };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

promise(
  [6],
  "a data directory that can only be read is searched, and says once what is not done",
  async () => {
    const place = createPlace(FILES);
    const data = join(place.home, "data");
    onTestFinished(() => {
      setModes(place.home, "rw");
      place.remove();
    });
    await output(place, "index");
    const { token } = await createTokenFor(place);
    setModes(place.home, "r");
    const before = listing(data);
    for (const [words, expected] of COMMANDS) {
      const { exit, stdout, stderr } = run(place, words);
      expect([words, exit, stderr]).toEqual([words, 0, expect.not.stringContaining("internally")]);
      expect(stdout).toContain(expected);
      expect(stderr.match(/can only be read/g) ?? []).toHaveLength(1);
    }
    const session = run(
      place,
      ["mcp", "--stdio"],
      { SERVICE_TOKEN: token },
      call(1, "search_context", { query: "turn the wheel" }) +
        call(2, "read_context", { targets: ["src/wheel.ts"] }) +
        call(3, "list_changes", { since: "0" }) +
        call(4, "index_status", {}) +
        call(5, "index_source", { source: place.root }),
    );
    expect([session.exit, session.stdout]).toEqual([
      0,
      expect.not.stringContaining("INTERNAL_ERROR"),
    ]);
    expect(session.stdout.match(/turnWheel/g)?.length).toBeGreaterThan(1);
    expect(session.stdout).toContain("cannot be written");
    expect(session.stderr.match(/data directory can only be read/g)).toHaveLength(1);
    expect(session.stderr.match(/CALLS ARE NOT AUDITED/g)).toHaveLength(1);
    const refused = run(place, ["index"]);
    expect([refused.exit, refused.stderr]).toEqual([
      2,
      expect.stringContaining("cannot be written"),
    ]);
    expect(listing(data)).toBe(before);
    return COMMANDS.length + 6;
  },
);
