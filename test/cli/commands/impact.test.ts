import { afterAll, expect, test } from "vitest";

import type { CliRun } from "../../helpers/cli.ts";
import { logMachine } from "./fixtures/log-machine.ts";

const here = logMachine();
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("impact", ...words);
}

test("users, tests and documentation of a definition are listed", async () => {
  const { code, out, err } = await call("writeLine");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^writeLine \(src\/log\.ts:1-4\)\nAffects 1 user in 1 file, 1 test file \(depth 3\)\.\n/,
  );
  expect(out).toMatch(/^Users:\n {2}src\/main\.ts {2}main:4 calls writeLine$/m);
  expect(out).toMatch(/^Tests to run:\n {2}src\/log\.test\.ts /m);
  expect(out).toMatch(/^Docs:\n {2}docs\/log\.md:3 /m);
});

test("paths are relative to the working directory, also in reasons", async () => {
  const { out } = await here.in(`${here.root}/docs`).svc("impact", "../src/log.ts");
  expect(out).toMatch(/^\.\.\/src\/log\.ts\n/);
  expect(out).toMatch(/^ {2}\.\.\/src\/log\.test\.ts {2}.*\.\.\/src\/log\.ts/m);
});

test("--json has the same, and a definition that nothing uses is exit code 1", async () => {
  const { out } = await call("writeLine", "--json");
  expect(JSON.parse(out)).toMatchObject({
    namespace: "project",
    target: "writeLine (src/log.ts:1-4)",
    users: [{ path: "src/main.ts", users: [{ symbol: "main", line: 4, uses: "writeLine" }] }],
    tests: [{ path: "src/log.test.ts" }],
    docs: [{ path: "docs/log.md" }],
    complete: true,
  });
  expect((await call("docs/log.md")).code).toBe(1);
});

test("without a target it is about the uncommitted changes, which need git", async () => {
  const { code, err } = await call();
  expect(code).toBe(2);
  expect(err).toContain("is not in a git repository, so it has no changes.");
});
