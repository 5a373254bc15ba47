import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createProject, request, type Project } from "../../helpers/project.ts";

const LOCK = (version: string): string =>
  JSON.stringify({ packages: { "node_modules/dep": { version } } });

let project: Project;

beforeEach(async () => {
  project = createProject({
    "package.json": '{ "name": "app", "dependencies": { "dep": "^1.0.0" } }',
    "package-lock.json": LOCK("1.0.0"),
    "a.js": "export const a = 1;\n",
  });
  await project.engine.index(request());
});

afterEach(() => project.dispose());

async function versionNote(): Promise<string | undefined> {
  const found = await project.engine.references({
    ...request(),
    symbol: "run",
    relation: "references",
    depth: 1,
    limit: 10,
    namespace: "*",
  });
  return found.references.find(({ namespace }) => namespace !== "dep")?.version;
}

test("a run reads the manifests and lock files that have changed, and forgets those that are gone", async () => {
  const library = createProject({
    "package.json": '{ "name": "dep", "version": "1.1.0" }',
    "index.js": "export function run() {}\n",
  });
  try {
    writeFileSync(join(project.root, "a.js"), 'import { run } from "dep";\nrun();\n');
    await project.engine.index(request());
    await project.engine.index({ ...request(), namespace: "dep", source: library.root });
    expect(await versionNote()).toBe("other version 1.1.0, not 1.0.0");
    // svc does not index the lock file itself, so nothing else changes.
    writeFileSync(join(project.root, "package-lock.json"), LOCK("1.1.0"));
    await project.engine.index(request());
    expect(await versionNote()).toBeUndefined();
    rmSync(join(project.root, "package-lock.json"));
    await project.engine.index(request());
    expect(await versionNote()).toBe("version 1.1.0, not locked (^1.0.0)");
    const asked = '{ "name": "app", "dependencies": { "dep": "^1.1.0" } }';
    writeFileSync(join(project.root, "package.json"), asked);
    await project.engine.index(request());
    expect(await versionNote()).toBe("version 1.1.0, not locked (^1.1.0)");
  } finally {
    await library.dispose();
  }
});
