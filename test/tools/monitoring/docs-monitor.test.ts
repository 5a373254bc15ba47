import { expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject } from "../../helpers/project.ts";
import { LONG_TIMEOUT, owner } from "./changed-project.ts";

test(
  "the monitor @docs finds documentation that names what a commit removed",
  LONG_TIMEOUT,
  async () => {
    const repository = gitRepository();
    repository.commit({
      "a.js": "export function readBlobs() {}\n",
      "README.md": "`readBlobs()`\n",
    });
    const gone = repository.commit({ "a.js": "" }, "Remove it");
    const { engine, tool, dispose } = createProject({}, { workspace: () => repository.path });
    onTestFinished(async () => {
      await dispose();
      repository.dispose();
    });
    await engine.index({ principal: owner(), signal: new AbortController().signal });
    const { text, outcome } = await tool("list_changes", { monitor: "@docs" });
    expect(text).toContain("README.md:1  `readBlobs()`: `readBlobs` was removed in");
    expect(outcome.structured).toMatchObject({
      statements: [{ path: "README.md", name: "readBlobs", removed: { commit: gone } }],
    });
    const { outcome: none } = await tool("list_changes", { monitor: "@docs", since: gone });
    expect(none.structured).toMatchObject({ statements: [] });
  },
);
