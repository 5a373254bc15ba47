import { expect, onTestFinished, test } from "vitest";
import type { SearchRequest } from "../../src/engine/api/search.ts";
import { Principal } from "../../src/sources/principal.ts";
import { createProject, request, SEARCH, type Project } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { tree } from "../helpers/tree.ts";

/** A project that has been indexed once. */
async function indexedProject(files: Parameters<typeof createProject>[0]): Promise<Project> {
  const project = notIndexed(files);
  await project.engine.index(request());
  return project;
}

function notIndexed(...args: Parameters<typeof createProject>): Project {
  const project = createProject(args[0], { onDisk: true, ...args[1] });
  onTestFinished(project.dispose);
  return project;
}

function search({ engine }: Project, query: string, more: Partial<SearchRequest> = {}) {
  return engine.search({ query, ...SEARCH, ...request(), ...more });
}

async function namespaceOf({ engine }: Project): Promise<string> {
  const [status] = await engine.status({ ...request(), detail: "summary" });
  return status?.name ?? "";
}

function failure(code: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

const STRANGER = new Principal({ id: "tok_1", namespaces: ["other"], readOnly: false });

test("a missing and an inaccessible namespace give the same error", async () => {
  const project = await indexedProject({ "a.md": "aardvark\n" });
  const name = await namespaceOf(project);
  const answers: string[] = [];
  for (const [namespace, caller] of [
    ["nothing", LOCAL],
    [name, STRANGER],
    ["other", STRANGER],
  ] as const) {
    const common = { ...request(caller), namespace };
    const calls = [
      () => search(project, "aardvark", common),
      () => project.engine.read({ ...common, targets: ["a.md"], maxTokens: 100 }),
      () => project.engine.status({ ...common, detail: "summary" }),
    ];
    for (const run of calls) {
      const thrown: unknown = await run().catch((error: unknown) => error);
      expect(thrown).toEqual(failure("NAMESPACE_NOT_FOUND"));
      answers.push(String(thrown).replace(namespace, "X"));
    }
  }
  expect(new Set(answers).size).toBe(1);
  await expect(search(project, "aardvark", { principal: STRANGER })).rejects.toThrow(
    failure("NAMESPACE_NOT_FOUND"),
  );
  expect(await project.engine.status({ ...request(STRANGER), detail: "summary" })).toEqual([]);
});

test("a restricted caller can neither index into another namespace nor create one", async () => {
  const project = await indexedProject({ "a.md": "aardvark\n" });
  const folder = tree({ "b.md": "badger\n" });
  onTestFinished(folder.dispose);
  const before = await project.engine.status({ ...request(), detail: "summary" });
  const name = await namespaceOf(project);
  for (const namespace of [undefined, name, "third"]) {
    const asked = { ...request(STRANGER), namespace, source: folder.path };
    await expect(project.engine.index(asked)).rejects.toThrow(failure("NAMESPACE_NOT_FOUND"));
  }
  expect(await project.engine.status({ ...request(), detail: "summary" })).toEqual(before);
});

test("an invalid namespace name is refused", async () => {
  const project = notIndexed({ "a.md": "a\n" });
  for (const namespace of ["", "A", "a/b", "..", "x".repeat(65)]) {
    await expect(project.engine.index({ ...request(), namespace })).rejects.toThrow(
      failure("USAGE"),
    );
  }
});
