import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { createPlace, exitCode, startProgram } from "../spec/program.ts";

const BATCH = {
  namespace: "project",
  changed: 1,
  added: 0,
  removed: 0,
  took_ms: expect.any(Number),
};

function seen(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 50_000, interval: 50 });
}

test("index --watch reports each change, as text and as JSON, until it is interrupted", async () => {
  const place = createPlace({ "a.md": "wombat\n" });
  onTestFinished(place.remove);
  const child = startProgram(place, ["index", "--watch", "--json"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { out: "", err: "" };
  child.stdout.on("data", (text: string) => (said.out += text));
  child.stderr.on("data", (text: string) => (said.err += text));
  await seen(() => expect(said.err).toContain('Watching "project"'));
  writeFileSync(join(place.root, "a.md"), "quokka and more\n");
  await seen(() => expect(said.err).toMatch(/0 added, 1 changed, 0 removed, \d+ ms\n/));
  child.kill("SIGTERM");
  expect(await exitCode(child)).toBe(0);
  const [first, ...batches] = said.out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(first).toMatchObject({ namespace: "project", done: true, added: 1 });
  expect(batches).toContainEqual({ ...BATCH, generation: expect.any(Number) });
}, 60_000);
