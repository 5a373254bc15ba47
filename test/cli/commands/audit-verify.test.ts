import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createMachine, type Machine } from "../../helpers/cli.ts";

let place: Machine;
beforeAll(() => {
  place = createMachine();
});
afterAll(() => place.dispose());

test("a machine without a store has no log, and the command reports that", async () => {
  expect(await place.svc("audit", "verify")).toMatchObject({
    code: 0,
    out: "This machine has no credential store, so nothing is audited.\n",
  });
  expect(await place.svc("audit", "tail")).toMatchObject({
    code: 0,
    out: "",
    err: "Nothing has been audited on this machine yet.\n",
  });
});

test("changes of credentials are in the log, and the log is intact", async () => {
  const created = await place.svc("auth", "token", "create", "--name", "one", "--json");
  expect(created.code).toBe(0);
  const { token_id: id, token } = JSON.parse(created.out);
  expect((await place.svc("auth", "token", "revoke", id)).code).toBe(0);
  const tail = await place.svc("audit", "tail");
  expect(
    tail.out.split("\n").map((line) => line.slice(21).trimEnd().split(/ {2,}/).slice(0, 3)),
  ).toEqual([
    ["-", "log.file", "-"],
    ["local", "store.create", "-"],
    ["local", "token.create", id],
    ["-", "store.commit", "-"],
    ["local", "token.revoke", id],
    ["-", "store.commit", "-"],
    [""],
  ]);
  expect(tail.out).not.toContain(token);
  const lines = (await place.svc("audit", "tail", "--json", "--lines", "4")).out
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "token.create", credential: id },
    { event: "store.commit", generation: 1 },
    { event: "token.revoke", credential: id },
    { event: "store.commit", generation: 2 },
  ]);
  expect(await place.svc("audit", "verify")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The audit log is intact: 1 file, 6 lines: 0 calls, 6 events\.\n$/),
  });
});

test("a log that was changed is bad: exit code 2, with the place", async () => {
  const path = join(place.data, "audit", "audit-000001.jsonl");
  const good = readFileSync(path, "utf8");
  writeFileSync(path, good.replace("token.revoke", "token.create"));
  const text = await place.svc("audit", "verify");
  expect(text).toMatchObject({ code: 2, err: expect.stringContaining("Nothing was repaired.") });
  expect(text.out).toContain("audit-000001.jsonl, line 5: altered");
  const json = await place.svc("audit", "verify", "--json");
  expect(json.code).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    damage: { file: "audit-000001.jsonl", line: 5, kind: "altered" },
  });
  writeFileSync(path, good);
  expect((await place.svc("audit", "verify")).code).toBe(0);
});

test("text that others wrote into the log cannot control the terminal", async () => {
  const path = join(place.data, "audit", "audit-000001.jsonl");
  const good = readFileSync(path);
  writeFileSync(path, '{"event":"call","tool":"\\u001b[2Jx"}\n\u001b]0;title\u0007y\n', {
    flag: "a",
  });
  const { out } = await place.svc("audit", "tail", "--lines", "2");
  expect(out).not.toContain("\u001b");
  writeFileSync(path, good);
});

test("a change that cannot be audited is not made", async () => {
  const path = join(place.data, "audit", "audit-000001.jsonl");
  const good = readFileSync(path);
  writeFileSync(join(place.data, "audit", "audit-000002.jsonl"), "", { mode: 0o644 });
  const before = await place.svc("auth", "token", "list", "--json");
  const failed = await place.svc("auth", "token", "create", "--name", "two");
  expect(failed).toMatchObject({ code: 2, out: "" });
  expect(await place.svc("auth", "token", "list", "--json")).toEqual(before);
  expect(readFileSync(path)).toEqual(good);
});
