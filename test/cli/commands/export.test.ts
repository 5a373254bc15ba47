import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMachine, type Machine } from "../../helpers/cli.ts";
import { filesOf, scipOf } from "../../scip/fixture-projects.ts";
import { lintScip } from "../../scip/scip-lint.ts";

function machine(): Machine {
  const here = createMachine(filesOf("shapes"));
  onTestFinished(here.dispose);
  return here;
}

test("svc index --scip says how many files are current, and svc export writes what svc export reads", async () => {
  const here = machine();
  const imported = await here.svc("index", here.root, "--scip", scipOf("shapes"));
  expect([imported.code, imported.err.replace("Writing the index\n", "")]).toEqual([0, ""]);
  expect(imported.out).toContain("SCIP: 3 of 3 files current (scip-typescript 0.4.0).\n");
  expect((await here.svc("status")).out).toContain("SCIP: 3 of 3 files current");
  const { code, out, err } = await here.svc(
    "export",
    here.root,
    "--scip",
    join(here.root, "out.scip"),
  );
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Exported 3 files of "project": \d+ definitions, \d+ references\.\n$/);
  expect(lintScip(readFileSync(join(here.root, "out.scip")))).toEqual([]);
  const again = await here.svc("index", here.root, "--scip", join(here.root, "out.scip"), "--json");
  expect(JSON.parse(again.out)).toMatchObject({
    done: true,
    scip: {
      tools: ["scip-typescript 0.4.0", expect.stringMatching(/^svc /)],
      files: 3,
      current: 3,
    },
    refused_documents: [],
  });
});

test("- is standard output, and the report goes to standard error", async () => {
  const here = machine();
  await here.svc("index", here.root);
  const { out, err } = await here.svc("export", here.root, "--scip", "-");
  expect(lintScip(Buffer.from(out, "latin1"))).toEqual([]);
  expect(err).toMatch(/^Exported 3 files/);
});

test("a file is replaced when the export is complete, and kept when it fails", async () => {
  const here = machine();
  writeFileSync(join(here.root, "out.scip"), "old");
  const { code, err } = await here.svc("export", here.root, "--scip", join(here.root, "out.scip"));
  expect([code, err]).toEqual([2, expect.stringContaining("is not a source.")]);
  expect(readFileSync(join(here.root, "out.scip"), "utf8")).toBe("old");
  expect(readdirSync(here.root).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test.each([
  [["export", "--scip", "none/out.scip"], /cannot be written/],
  [["index", "--scip", "none.scip"], /There is no SCIP index at .*none\.scip/],
  [["index", "--scip", "tsconfig.json"], /is not a SCIP index/],
  [["index", "--scip", "a.scip", "--verify"], /--verify takes no --scip/],
  [["index", "--scip", "a.scip", "--forget-scip"], /cannot be used with --forget-scip/],
])("svc %s is refused with a remedy", async (words, reason) => {
  const here = machine();
  await here.svc("index", here.root);
  const [command = "", flag = "", file = "", ...others] = words;
  const { code, err } = await here.svc(command, here.root, flag, join(here.root, file), ...others);
  expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
});

test("--forget-scip takes the facts out of use", async () => {
  const here = machine();
  await here.svc("index", here.root, "--scip", scipOf("shapes"));
  const { code, out } = await here.svc("index", here.root, "--forget-scip");
  expect([code, out.includes("SCIP")]).toEqual([0, false]);
  expect((await here.svc("status")).out).not.toContain("SCIP");
});
