import { readFileSync } from "node:fs";
import { join } from "node:path";

import { PbfWriter } from "pbf";
import { expect, onTestFinished, test } from "vitest";

import { ScipIndex, SymbolRole } from "../../src/scip/read-index.ts";
import { tree } from "../helpers/tree.ts";
import { scipOf } from "./fixture-projects.ts";

function written(bytes: Uint8Array): string {
  const { path, dispose } = tree({ "index.scip": bytes });
  onTestFinished(dispose);
  return join(path, "index.scip");
}

function metadata(): Uint8Array {
  const to = new PbfWriter();
  to.writeMessage(1, (root, inner) => inner.writeStringField(3, root), "file:///srv/a");
  return to.finish();
}

/** An index with one document, whose fields `write` writes. */
function withDocument(write: (to: PbfWriter) => void): string {
  const to = new PbfWriter();
  to.writeMessage(2, (_, inner) => write(inner), undefined);
  return written(Buffer.concat([metadata(), to.finish()]));
}

function readAll(path: string): unknown {
  const index = new ScipIndex(path);
  try {
    return index.documents.map((place) => index.document(place));
  } finally {
    index.close();
  }
}

test("the index of scip-typescript has its tool, its root and its documents", () => {
  const index = new ScipIndex(scipOf("shapes"));
  onTestFinished(() => index.close());
  expect(index.metadata).toEqual({
    tool: "scip-typescript 0.4.0",
    projectRoot: "file:///srv/shapes",
  });
  const documents = index.documents.map((place) => index.document(place));
  expect(documents.map(({ path }) => path)).toEqual([
    "src/shape.ts",
    "src/registry.ts",
    "src/main.ts",
  ]);
  const [shape] = documents;
  const area = "scip-typescript npm shapes 1.0.0 src/`shape.ts`/Circle#area().";
  expect(shape?.occurrences.find(({ symbol }) => symbol === area)).toEqual({
    startLine: 14,
    startCharacter: 2,
    endLine: 14,
    endCharacter: 6,
    symbol: area,
    roles: SymbolRole.definition,
    enclosing: { startLine: 14, startCharacter: 2, endLine: 16, endCharacter: 3 },
  });
  expect(shape?.symbols.find(({ symbol }) => symbol === area)?.relationships).toEqual([
    {
      symbol: "scip-typescript npm shapes 1.0.0 src/`shape.ts`/Shape#area().",
      isReference: true,
      isImplementation: true,
    },
  ]);
});

test("numbers of ranges may be packed or not", () => {
  const path = withDocument((document) => {
    document.writeStringField(1, "a.ts");
    for (const isPacked of [true, false]) {
      document.writeMessage(
        2,
        (_, to) => {
          if (isPacked) to.writePackedVarint(1, [1, 2, 3]);
          else for (const number of [1, 2, 3]) to.writeVarintField(1, number);
        },
        undefined,
      );
    }
  });
  const range = { startLine: 1, startCharacter: 2, endLine: 1, endCharacter: 3 };
  expect(readAll(path)).toMatchObject([{ path: "a.ts", occurrences: [range, range] }]);
});

test.each<[string, string | (() => string), RegExp]>([
  ["a file that does not exist", "/nowhere/index.scip", /no SCIP index at/],
  ["a folder", import.meta.dirname, /no SCIP index at/],
  ["an empty file", () => written(Buffer.alloc(0)), /it has no metadata/],
  ["text", () => written(Buffer.from('{ "documents": [] }\n')), /is not a SCIP index/],
  [
    "a file that is cut off",
    () => written(readFileSync(scipOf("shapes")).subarray(0, 3000)),
    /cut off/,
  ],
  [
    "a document that claims gigabytes",
    () => {
      const to = new PbfWriter();
      to.writeVarint(2 * 8 + 2);
      to.writeVarint(2 ** 40);
      return written(Buffer.concat([metadata(), to.finish()]));
    },
    /cut off/,
  ],
  [
    "a range with two numbers",
    () => withDocument((to) => to.writeMessage(2, (_, one) => one.writePackedVarint(1, [1, 2]), 0)),
    /neither three nor four/,
  ],
  [
    "a range with a million numbers",
    () =>
      withDocument((to) =>
        to.writeMessage(2, (_, one) => one.writePackedVarint(1, Array(1e6).fill(1)), 0),
      ),
    /more than four numbers/,
  ],
  [
    "a text that is longer than its document",
    () =>
      withDocument((to) => {
        to.writeVarint(8 + 2);
        to.writeVarint(1e6);
        to.writeVarint(0);
      }),
    /cut off/,
  ],
])("%s is refused with a reason and a remedy", (_, file, reason) => {
  const path = typeof file === "string" ? file : file();
  expect(() => readAll(path)).toThrow(
    expect.objectContaining({ code: "INVALID_PARAMS", detail: expect.stringMatching(reason) }),
  );
});
