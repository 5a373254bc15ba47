import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";
import { complaintsAmong, findingsOn, patientWith } from "./patient.ts";

const here = patientWith();

/** Path -> mode, modification time and content hash of everything below `directory`. */
function stateOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => {
      const path = join(directory, name);
      const stat = lstatSync(path);
      const content = stat.isFile()
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "";
      return [name, `${stat.mode} ${stat.mtimeMs} ${content}`];
    }),
  );
}

test("a healthy machine has no findings, also with --deep, and doctor changes nothing", async () => {
  const before = [stateOf(here.data), stateOf(here.config)];
  expect(await here.complaints()).toEqual([]);
  expect(await here.complaints("--deep")).toEqual([]);
  expect([stateOf(here.data), stateOf(here.config)]).toEqual(before);
});

test("an unused machine has no findings, and doctor creates nothing", async () => {
  const bare = credentialMachine();
  expect(complaintsAmong(await findingsOn(bare))).toEqual([]);
  expect(readdirSync(bare.data)).toEqual([]);
});

test("each line names its check; the last line has the counts", async () => {
  const { code, out } = await runProgram(here, ["doctor"]);
  expect(code).toBe(0);
  const lines = out.trimEnd().split("\n");
  expect(lines.at(-1)).toMatch(/^\d+ ok, 0 warnings, 0 errors\.$/);
  expect(out).toContain('ok       default token: "laptop" is valid until ');
  expect(out).toContain("ok       index of project: generation 1, 2 files, 2 chunks, 2 symbols\n");
  const subjects = lines
    .slice(0, -2)
    .map((line) => /^ok +(?<subject>[^:]+):/.exec(line)?.groups?.["subject"]);
  expect(subjects).toEqual([
    "program",
    "MCP server",
    "settings",
    "data directory",
    "permissions",
    "credentials",
    "default token",
    "audit log",
    "registry",
    "index of project",
    "sources of project",
    "locks of project",
    ...(process.platform === "linux" ? ["watch limits"] : []),
    "leftovers",
    "git",
  ]);
});
