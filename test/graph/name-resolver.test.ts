import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { recordedCalls } from "../helpers/recorded-calls.ts";

/** Many Java classes with a method that has the name of a function outside all classes. */
function project(extension: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    "src/p/Tools.kt": extension,
    "src/q/User.kt": `package q

import p.*

fun use(other: Unknown) {
  close(1)
  other.guess().close()
}
`,
  };
  for (let at = 0; at < 20; at += 1)
    files[`src/r/C${at}.java`] = `package r;\n\nclass C${at} {\n  void close() {}\n}\n`;
  return files;
}

test("members of unrelated types are not read to resolve a bare name", async () => {
  const files = project("package p\n\nfun close(code: Int) {}\n");
  const { reader, calls } = recordedCalls(await memoryIndex(files), "scopeOf");
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  const found = await graph.definitionsAt("src/q/User.kt", 6, "close");
  expect(found.flatMap(({ targets }) => targets.map(({ path }) => path))).toContain(
    "src/p/Tools.kt",
  );
  expect(calls.filter((path) => path.endsWith(".java")).length).toBeLessThan(3);
});
