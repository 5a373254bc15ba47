import { expect, test } from "vitest";

import { answerSymbols } from "../../../src/engine/symbols/answer-symbols.ts";
import { ReferenceGraph } from "../../../src/graph/reference-graph.ts";
import { memoryTexts } from "../../../src/sources/text/memory-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";
import { request } from "../../helpers/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "a/door.ts": "export function open(): void {}\n",
  "b/door.ts": "export function open(): void {}\n",
  "b/user.ts": 'import { open } from "./door.ts";\nopen();\n',
};

test("an answer without definitions names the files that are called so", async () => {
  const files = { "app/commands/sendalerts.py": "import os\n", "app/run.py": "def run(): pass\n" };
  const reader = await memoryIndex(files);
  const namespace = authorized("project");
  const texts = memoryTexts(() => new Map()).open(namespace, []);
  const query = { namespace, reader, sources: [], texts };
  const openGraph = () => ReferenceGraph.open(reader, () => undefined);
  const hintOf = async (name: string, path?: string) =>
    (await answerSymbols(query, { ...request(), name, path, limit: 5 }, openGraph)).hint;
  expect(await hintOf("sendalrts")).toBe("Files with such a name: app/commands/sendalerts.py.");
  expect(await hintOf("sendalrts", "app/*.py")).toBeUndefined();
  expect(await hintOf("sendalrts", "lib/*")).toBe('No indexed file matches path "lib/*".');
  expect(await hintOf("quite_another")).toBeUndefined();
});

test("the graph decides which definition is near a place, and the answer names its namespace", async () => {
  const reader = await memoryIndex(FILES);
  const contents = new Map(
    Object.entries(FILES).map(([path, text]) => [path, { bytes: Buffer.from(text), mtimeMs: 1 }]),
  );
  const namespace = authorized("project");
  const texts = memoryTexts(() => contents).open(namespace, []);
  const query = { namespace, reader, sources: [], texts };
  const openGraph = () => ReferenceGraph.open(reader, (path) => FILES[path]);
  const ask = { ...request(), name: "open", limit: 5 };
  const found = await answerSymbols(query, { ...ask, near: "b/user.ts:2" }, openGraph);
  expect(found.namespace).toBe("project");
  expect(found.symbols.map(({ path }) => path)).toEqual(["b/door.ts", "a/door.ts"]);
});
