import { expect, test } from "vitest";

import { findMove, type AddedDefinition } from "../../../src/engine/why/find-move.ts";
import type { CommittedRange } from "../../../src/sources/line-history.ts";
import { openHistory } from "../../../src/sources/open-history.ts";
import { withGit } from "../../../src/sources/run-git.ts";
import { linesOf, signal, whyRepository, type WhyRepository } from "./why-repository.ts";

const PYTHON = ["def load_table(path):", "    rows = read_rows(path)", "    return Table(rows)"];

async function moveOf(
  { path }: WhyRepository,
  added: Omit<AddedDefinition, "lines"> & { readonly lines?: readonly string[] },
): Promise<CommittedRange | undefined> {
  const source = { root: path };
  const history = await openHistory(source, signal);
  return withGit(history.repository, (git) =>
    findMove({ git, source, history, signal, timeoutMs: 10_000 }, { lines: PYTHON, ...added }),
  );
}

test("a function that is now a method is found by its name and lines", async () => {
  const repository = whyRepository();
  const { commit } = repository;
  const parent = commit({ "a.py": linesOf("import os", "", "", ...PYTHON), "b.py": "x = 1\n" });
  const body = ["class Loader:", ...PYTHON.map((line) => `    ${line}`)];
  const id = commit({ "a.py": "import os\n", "b.py": linesOf("x = 1", "", ...body) });
  const added = { commit: id, parent, path: "b.py", startLine: 4, endLine: 6, name: "load_table" };
  expect(await moveOf(repository, added)).toEqual({
    commit: parent,
    path: "a.py",
    startLine: 4,
    endLine: 6,
  });
});

test("the same body under another name is the same definition", async () => {
  const repository = whyRepository();
  const { commit } = repository;
  const parent = commit({ "a.py": linesOf(...PYTHON), "b.py": "x = 1\n" });
  const renamed = PYTHON.with(0, "def read_table(path):");
  const id = commit({ "a.py": "\n", "b.py": linesOf("x = 1", ...renamed) });
  const added = { commit: id, parent, path: "b.py", startLine: 2, endLine: 4, name: "read_table" };
  expect((await moveOf(repository, { ...added, lines: renamed }))?.path).toBe("a.py");
});

test("a new definition, and one whose old place had the name of a secret, were nowhere", async () => {
  const repository = whyRepository();
  const { commit } = repository;
  const parent = commit({ "a.py": "old_code_that_goes_away()\n", ".env": linesOf(...PYTHON) });
  const id = commit({ "a.py": "\n", "b.py": linesOf(...PYTHON), ".env": undefined });
  const added = { commit: id, parent, path: "b.py", startLine: 1, endLine: 3, name: "load_table" };
  expect(await moveOf(repository, added)).toBeUndefined();
});
