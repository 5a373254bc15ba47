import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { engineAtShell } from "../../src/cli/engine-at-shell.ts";
import { ShellPaths } from "../../src/cli/shell-paths.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import { createProject, request, SEARCH } from "../helpers/project.ts";

const FILES = {
  "src/lamp.ts": "export function shade(): void {}\n",
  "src/room.ts":
    'import { shade } from "./lamp.ts";\n\nexport function dim(): void {\n  shade();\n}\n',
  "docs/lamp.md": "# Lamps\n\nCall `shade`.\n",
};

/** The engine of a project as it is at a shell in `folder`, limited to `within`. */
async function atShell(
  folder: string,
  within?: string,
): Promise<{
  readonly engine: Engine;
  readonly root: string;
  readonly files: Map<string, string>;
}> {
  const project = createProject(FILES);
  onTestFinished(project.dispose);
  const { root } = project;
  await project.engine.index({ ...request(), rebuild: false });
  const paths = new ShellPaths({
    workingDirectory: join(root, folder),
    folders: [{ root, prefix: "", url: undefined }],
    project: root,
    isAbsolute: false,
  });
  const files = new Map<string, string>();
  const engine = engineAtShell(project.engine, {
    pathsOf: async () => paths,
    within: within === undefined ? undefined : join(root, within),
    onFile: (shown, file) => files.set(shown, file),
  });
  return { engine, root, files };
}

function pathsOf(items: readonly { readonly path: string }[]): readonly string[] {
  return [...new Set(items.map(({ path }) => path))].toSorted();
}

test("each answer has the paths of the shell", async () => {
  const { engine, root, files } = await atShell("src");
  const found = await engine.search({ ...SEARCH, ...request(), query: "shade" });
  expect(pathsOf(found.passages)).toEqual(["../docs/lamp.md", "lamp.ts", "room.ts"]);
  expect(files.get("../docs/lamp.md")).toBe(join(root, "docs/lamp.md"));
  const text = {
    isRegex: false,
    caseSensitive: true,
    wholeWord: false,
    contextLines: 0,
    limit: 10,
  };
  const lines = { ...text, ...request(), pattern: "shade" };
  const { matches } = await engine.searchText({ ...lines, output: "matches" });
  expect(pathsOf(matches)).toEqual(["../docs/lamp.md", "lamp.ts", "room.ts"]);
  const { files: counted } = await engine.searchText({ ...lines, output: "files" });
  expect(pathsOf(counted)).toEqual(["../docs/lamp.md", "lamp.ts", "room.ts"]);
  const { symbols } = await engine.findSymbols({ ...request(), name: "shade", limit: 5 });
  expect(pathsOf(symbols)).toEqual(["lamp.ts"]);
  const uses = { ...request(), symbol: "lamp.ts#shade", depth: 1, limit: 5 };
  const refs = await engine.references({ ...uses, relation: "callers" });
  expect([refs.target.path, pathsOf(refs.references)]).toEqual(["lamp.ts", ["room.ts"]]);
  const imports = await engine.references({ ...uses, symbol: "room.ts", relation: "imports" });
  expect(imports.references).toMatchObject([{ path: "lamp.ts", from: "room.ts" }]);
  const { parts } = await engine.read({
    ...request(),
    targets: ["../docs/lamp.md"],
    maxTokens: 500,
  });
  expect(pathsOf(parts)).toEqual(["../docs/lamp.md"]);
  const related = await engine.related({ ...request(), target: "lamp.ts", limit: 5 });
  expect(related.path).toBe("lamp.ts");
  expect(related.groups.flatMap(({ items }) => pathsOf(items))).toContain("../docs/lamp.md");
  const impact = await engine.impact({ ...request(), target: "lamp.ts#shade", depth: 2 });
  expect(impact.description).toBe("shade (lamp.ts:1-1)");
  expect([pathsOf(impact.files), pathsOf(impact.docs)]).toEqual([["room.ts"], ["../docs/lamp.md"]]);
});

test("an outline calls the working directory as it calls the outermost folder", async () => {
  const { engine } = await atShell("src");
  const outlineOf = async (path?: string): Promise<string> =>
    (await engine.outline({ ...request(), path, maxTokens: 500 })).outline.path;
  expect(await outlineOf()).toBe("..");
  expect(await outlineOf(".")).toBe("");
  expect(await outlineOf("../docs")).toBe("../docs");
  expect(await outlineOf("lamp.ts")).toBe("lamp.ts");
});

test("queries are limited to a folder or a file", async () => {
  const { engine } = await atShell("", "src/lamp.ts");
  const { passages } = await engine.search({ ...SEARCH, ...request(), query: "shade" });
  expect(pathsOf(passages)).toEqual(["src/lamp.ts"]);
  const whole = await atShell("", "");
  const found = await whole.engine.search({ ...SEARCH, ...request(), query: "shade" });
  expect(pathsOf(found.passages)).toHaveLength(3);
});

test("targets that cannot be read are reported as they were typed", async () => {
  const { engine } = await atShell("src");
  const targets = ["lamp.ts:1", "./lam.ts:2", "../docs/lam.md"];
  const { parts, problems } = await engine.read({ ...request(), targets, maxTokens: 500 });
  expect(parts).toMatchObject([{ target: "lamp.ts:1", path: "lamp.ts" }]);
  expect(problems).toMatchObject([
    { target: "./lam.ts:2", detail: 'No file "lam.ts". Nearest: lamp.ts, ../docs/lamp.md.' },
    { target: "../docs/lam.md", detail: expect.stringContaining("Nearest: ../docs/lamp.md") },
  ]);
});

test("an error has what was typed, and the nearest paths as they are from here", async () => {
  const { engine } = await atShell("src");
  await expect(
    engine.outline({ ...request(), path: "lam.ts", maxTokens: 500 }),
  ).rejects.toMatchObject({
    message: 'No file "lam.ts".',
    hint: "Nearest: lamp.ts, ../docs/lamp.md.",
  });
});
