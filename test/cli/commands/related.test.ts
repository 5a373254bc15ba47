import { afterAll, expect, test } from "vitest";

import type { CliRun } from "../../helpers/cli.ts";
import { logMachine } from "./fixtures/log-machine.ts";

const here = logMachine();
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("related", ...words);
}

test("tests and documentation of a file are listed with reasons", async () => {
  const { code, out, err } = await call("src/log.ts");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^src\/log\.ts:1-4\n/);
  expect(out).toMatch(/^Tests:\n {2}src\/log\.test\.ts:3 .*named after it/m);
  expect(out).toMatch(/^Docs:\n {2}docs\/log\.md:3 .*names writeLine/m);
  expect(out).toContain("Changed together: This is not a git repository.");
});

test("paths are relative to the working directory", async () => {
  const { out } = await here.in(`${here.root}/src`).svc("related", "log.ts", "-r", "docs");
  expect(out).toMatch(/^log\.ts:1-4\nDocs:\n {2}\.\.\/docs\/log\.md:3/);
});

test("--json has the groups, and no result is exit code 1", async () => {
  const { code, out } = await call("writeLine", "-r", "tests", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    namespace: "project",
    target: { path: "src/log.ts", start_line: 1, end_line: 4, symbol: "writeLine" },
    groups: [{ relation: "tests", items: [{ path: "src/log.test.ts" }] }],
  });
  expect((await call("docs/log.md", "-r", "changed_together")).code).toBe(1);
});
