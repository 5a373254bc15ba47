import { expect, test } from "vitest";

import { createProject, request, SEARCH } from "../helpers/project.ts";

const FILES = {
  "src/store.ts": [
    "export function openStore(path: string): Store {",
    "  if (isLocked(path))",
    '    throw new Error("could not open the lock " +',
    '      "file of the store");',
    "  return new Store(path);",
    "}",
  ].join("\n"),
  // Each file contains the words more often.
  "src/lock-file.ts": [
    "/** Opens the lock file: could a lock file of a store not open, the store is not open. */",
    "export function openLockFile(store: Store, lock: Lock, file: File): File {",
    "  return file.open(lock, store);",
    "}",
  ].join("\n"),
  "docs/store.md": "# Store\n\nThe lock file of the store could be open or not.\n",
};

test("the passage that contains a message word for word comes first, and svc is sure of it", async () => {
  const project = createProject(FILES);
  await project.engine.index(request());
  const ask = (query: string) => project.engine.search({ ...request(), ...SEARCH, query });
  const found = await ask("Error: could not open the lock file of the store");
  expect(found.passages[0]?.path).toBe("src/store.ts");
  expect(found.passages[0]?.signals).toHaveProperty("word for word");
  expect(found.confidence).toBeGreaterThanOrEqual(0.8);
  const asked = await ask("where does it say that it could not open the lock file of the store");
  expect(asked.passages[0]?.signals).not.toHaveProperty("word for word");
  await project.dispose();
});

test("a page comes first for a sentence that it contains, and not for a phrase", async () => {
  const project = createProject(FILES);
  await project.engine.index(request());
  const pageFor = async (query: string) => {
    const { passages } = await project.engine.search({ ...request(), ...SEARCH, query });
    return passages.find(({ path }) => path === "docs/store.md");
  };
  const phrase = await pageFor("lock file of the store");
  expect(phrase?.signals).not.toHaveProperty("word for word");
  const sentence = await pageFor("the lock file of the store could be open or not");
  expect(sentence?.signals).toHaveProperty("word for word");
  await project.dispose();
});
