import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  buffersOf,
  detached,
  FileParser,
  type FileTask,
} from "../../../src/engine/indexing/file-parser.ts";
import { packedGrammars } from "../../../src/engine/packed-grammars.ts";
import { readReferences } from "../../../src/index/references/reference-block.ts";
import { tree } from "../../helpers/tree.ts";

function projectOf(files: Parameters<typeof tree>[0]): {
  readonly parser: FileParser;
  readonly task: (path: string) => FileTask;
} {
  const project = tree(files);
  onTestFinished(project.dispose);
  const sources = new Map([[7, { root: project.path, namespace: "n" }]]);
  const times = { size: 1, mtimeMs: 2, inode: 3, unchangedHash: undefined };
  return {
    parser: new FileParser(sources, packedGrammars),
    task: (path) => ({ source: 7, path: join("in", path), pathInSource: path, ...times }),
  };
}

const SECRET = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
const TEXT = `import { b } from "./b.ts";\nexport const token = "${SECRET}";\nexport function f() {\n  return b();\n}\n`;

test("a file is read, cut and described", async () => {
  const { parser, task } = projectOf({ "a.ts": TEXT });
  const result = await parser.parse(task("a.ts"));
  expect(result).toMatchObject({
    parsed: {
      state: { path: "in/a.ts", source: 7, size: 1, mtimeMs: 2, inode: 3, stage: "complete" },
      content: { path: "in/a.ts", isFinal: true, symbols: [{ name: "token" }, { name: "f" }] },
      problem: undefined,
    },
  });
});

test("what is sent to another thread has buffers of its own, and everything that the index stores", async () => {
  const { parser, task } = projectOf({ "a.ts": TEXT, "b.ts": "x\n" });
  const result = await parser.parse(task("a.ts"));
  const own = detached(result, true);
  const copy = structuredClone(own, { transfer: [...buffersOf(own)] });
  await parser.parse(task("b.ts"));
  if (!("parsed" in copy) || !("parsed" in result)) throw new Error("not parsed");
  const { content, rawBytes, state, fingerprints } = copy.parsed;
  expect(Buffer.from(content.bytes).toString()).toBe(TEXT);
  expect(Buffer.from(rawBytes ?? []).toString()).toBe(TEXT);
  const masked = Buffer.from(content.maskedBytes ?? []).toString();
  expect(masked).not.toContain(SECRET);
  expect(masked.split("\n").length).toBe(TEXT.split("\n").length);
  expect(state).toEqual(result.parsed.state);
  expect(fingerprints).toEqual(structuredClone(result.parsed.fingerprints));
  if (!("block" in content.references)) throw new Error("not encoded");
  expect(readReferences(content.references.block)).toMatchObject({
    imports: [{ module: "./b.ts" }],
  });
  expect(content.references.terms).toContain("b");
});

test("the bytes as stored are sent only if someone needs them", async () => {
  const { parser, task } = projectOf({ "a.md": "# A\n" });
  const own = detached(await parser.parse(task("a.md")), false);
  expect(own).toMatchObject({ parsed: { rawBytes: undefined } });
});

test("a file with the hash of the index is not parsed", async () => {
  const { parser, task } = projectOf({ "a.md": "# A\n" });
  const first = await parser.parse(task("a.md"));
  const unchangedHash = "parsed" in first ? first.parsed.state.hash : "";
  expect(await parser.parse({ ...task("a.md"), unchangedHash })).toMatchObject({
    isUnchanged: true,
  });
  expect(await parser.parse({ ...task("b.md"), unchangedHash })).toMatchObject({
    skip: "vanished",
  });
});

test("a source that the run does not have is a mistake of the caller", async () => {
  const { parser, task } = projectOf({ "a.md": "# A\n" });
  await expect(parser.parse({ ...task("a.md"), source: 8 })).rejects.toThrow("no source 8");
});
