import { expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject } from "../../helpers/project.ts";
import { LONG_TIMEOUT, owner } from "./changed-project.ts";

test("the monitor @api compares the public definitions of two versions", LONG_TIMEOUT, async () => {
  const repository = gitRepository();
  const first = repository.commit({ "a.py": "def read(path): ...\n" });
  repository.commit({ "a.py": "def read(path, size): ...\n" });
  const { engine, tool, dispose } = createProject(
    {},
    { workspace: () => repository.path, onDisk: true },
  );
  onTestFinished(async () => {
    await dispose();
    repository.dispose();
  });
  await engine.index({ principal: owner(), signal: new AbortController().signal });
  const { text, outcome } = await tool("list_changes", { monitor: "@api", since: first });
  expect(text).toContain("signature  function a.read  a.py:1");
  expect(text).toContain("parameter added size");
  expect(outcome.structured).toMatchObject({ breaking: 1, changes: [{ name: "a.read" }] });
});
