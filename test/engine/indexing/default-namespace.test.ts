// The namespace of a call that names none.
import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

/** The workspace is the namespace "work"; there is also "library". */
async function twoFolders(): Promise<Project & { readonly library: string }> {
  const project = createProject({ "a.md": "aardvark\n" }, { onDisk: true, namespace: "work" });
  onTestFinished(project.dispose);
  const library = tree({ "b.md": "badger\n", "more/c.md": "civet\n" });
  onTestFinished(library.dispose);
  await project.engine.index(request());
  await project.engine.index({ ...request(), namespace: "library", source: library.path });
  return { ...project, library: library.path };
}

function limitedTo(...namespaces: readonly string[]) {
  return request(new Principal({ id: "tok_1", namespaces, readOnly: false }));
}

/** The namespace of a query's answer, or its error. */
async function askedOf({ engine }: Project, asker: ReturnType<typeof request>): Promise<string> {
  return engine.search({ query: "aardvark badger", ...SEARCH, ...asker }).then(
    ({ namespace }) => namespace,
    (thrown: unknown) => String(thrown),
  );
}

test("it is the caller's only namespace, or else that of the workspace", async () => {
  const project = await twoFolders();
  const asked = [
    request(),
    limitedTo("library"),
    limitedTo("work"),
    limitedTo("library", "work"),
  ].map((asker) => askedOf(project, asker));
  expect(await Promise.all(asked)).toEqual(["work", "library", "work", "work"]);
});

test("a caller with several namespaces, without that of the workspace, must name one", async () => {
  const project = await twoFolders();
  const asker = limitedTo("library", "third");
  const asked = project.engine.search({ query: "badger", ...SEARCH, ...asker });
  await expect(asked).rejects.toThrow(
    expect.objectContaining({
      code: "NAMESPACE_NOT_FOUND",
      hint: expect.stringContaining("choose one"),
    }),
  );
  // The error reveals nothing about a namespace that the caller cannot access.
  expect(await askedOf(project, asker)).not.toContain("work");
});

test("a missing only namespace is not found, and not created", async () => {
  const project = await twoFolders();
  expect(await askedOf(project, limitedTo("gone"))).toContain('no namespace "gone"');
  const namespaces = await project.engine.status({ ...request(), detail: "summary" });
  expect(namespaces.map(({ name }) => name)).toEqual(["library", "work"]);
});

test("a new folder is added to the caller's only namespace", async () => {
  const project = await twoFolders();
  const source = join(project.library, "more");
  const asked = { ...limitedTo("library"), source, fallbackNamespace: "workspace" } as const;
  expect((await project.engine.index(asked)).namespace).toBe("library");
});

test("a check of the engine opens no index", async () => {
  const project = await twoFolders();
  rmSync(join(project.data, "namespaces"), { recursive: true });
  await expect(project.engine.checkRegistry()).resolves.toBeUndefined();
});
