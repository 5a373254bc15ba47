import { expect, test } from "vitest";

import { commitDocument } from "../../../src/engine/why/commit-document.ts";
import type { FilePatch } from "../../../src/sources/patch-text.ts";

const COMMIT = { id: "1".repeat(40), subject: "Retry uploads", body: "They failed." };

function patch(path: string, lines: readonly string[], section = ""): FilePatch {
  const hunk = { oldStart: 1, oldCount: 1, newStart: 1, newCount: 1, section, lines };
  return { path, oldPath: path, hunks: [hunk] };
}

test("a document has the message, the changed lines, and the names of files and definitions", () => {
  const files = [
    patch("src/upload.ts", ["-send(file);", "+retry(send, file);"], "class Uploader {"),
  ];
  expect(commitDocument(COMMIT, files)).toEqual({
    ...COMMIT,
    changedLines: ["send(file);", "retry(send, file);"],
    names: ["src/upload.ts", "class Uploader {"],
  });
});

test("files with secrets, lock files and dependencies are left out", () => {
  const files = [".env", "package-lock.json", "id_rsa"].map((path) => patch(path, ["+word"]));
  const { changedLines, names } = commitDocument(COMMIT, files);
  expect([changedLines.join(""), names.join("")]).toEqual(["", ""]);
});

test("secrets in messages and lines are masked", () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
  const document = commitDocument({ ...COMMIT, body: `token ${secret}` }, [
    patch("src/a.ts", [`+const token = "${secret}";`]),
  ]);
  expect(JSON.stringify(document)).not.toContain(secret);
  expect(document.changedLines[0]).toContain("const token");
});

test("a huge commit is cut", () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `+line number ${at} ${"x".repeat(500)}`);
  const files = Array.from({ length: 500 }, (_, at) => patch(`src/${at}.ts`, lines));
  const { changedLines, names } = commitDocument(COMMIT, files);
  expect(changedLines.join("\n").length).toBeLessThan(60_000);
  expect(names.length).toBeLessThan(120);
});
