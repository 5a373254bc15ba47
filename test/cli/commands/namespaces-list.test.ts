import { expect, onTestFinished, test } from "vitest";
import { createMachine, type Machine } from "../../helpers/cli.ts";

async function indexedMachine(): Promise<Machine> {
  const here = createMachine({ "a.md": "The aardvark sleeps.\n" });
  onTestFinished(here.dispose);
  await here.svc("index", here.root);
  return here;
}

test("the list has the globs of each source", async () => {
  const here = await indexedMachine();
  await here.svc("index", here.root, "--include", "*.md", "--exclude", "b.md,gen/");
  const { out } = await here.svc("namespaces", "list");
  expect(out).toBe(`project  1 file  ${here.root} (only *.md, without b.md gen/)\n`);
});

test("the list has every namespace with its sources", async () => {
  const here = await indexedMachine();
  const { code, out } = await here.svc("namespaces", "list");
  expect([code, out]).toEqual([0, `project  1 file  ${here.root}\n`]);
  expect(JSON.parse((await here.svc("namespaces", "list", "--json")).out)).toEqual([
    { name: "project", state: "ready", files: 1, sources: [here.root] },
  ]);
});
