import { expect, test } from "vitest";

import type { FileFacts } from "../../../src/index/types.ts";
import { fileFilter, pathMatcher } from "../../../src/engine/files/file-filter.ts";

function call(glob: string, path: string): boolean {
  return pathMatcher(glob)(path);
}

test.each<[string, string, boolean]>([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/b/a.ts", false],
  ["src/*.ts", "lib/src/a.ts", false],
  ["src/**", "src/b/a.ts", true],
  ["**/a.ts", "a.ts", true],
  ["src", "src/a.ts", true],
  ["src", "srcs/a.ts", false],
  ["src/", "lib/src/a.ts", true],
  ["/src", "src/a.ts", true],
  ["./src/a.ts", "src/a.ts", true],
  [".", "src/a.ts", true],
  ["./", "a.ts", true],
  ["!.", "a.ts", false],
  ["a?.ts", "ab.ts", true],
  ["[ab].ts", "b.ts", true],
  ["app/[id]/**", "app/[id]/page.ts", true],
  ["app/[id]/page.ts", "app/[id]/page.ts", true],
  ["app/[id]/", "app/d/page.ts", true],
  ["[id]", "app/[id]/page.ts", true],
  ["app/\\[id]/**", "app/[id]/page.ts", true],
  ["app/\\[id]/**", "app/d/page.ts", false],
  ["app/[[...all]]/*.ts", "app/[[...all]]/page.ts", true],
  ["!app/[id]/**", "app/[id]/page.ts", false],
  ["app/[id]/**", "app/[name]/page.ts", false],
  ["{a,b}.{ts,js}", "b.js", true],
  ["{a,b}.{ts,js}", "c.js", false],
  ["{src,lib}/{a,b/{c,d}}.ts", "lib/b/d.ts", true],
  ["{a}.ts", "{a}.ts", true],
  ["{}", "{}", true],
  ["!*.ts", "a.md", true],
  ["!*.ts", "a.ts", false],
  ["!src/", "src/a.ts", false],
  ["*", "any/thing", true],
  ["größe.ts", "src/größe.ts", true],
])("%j on %j is %j", (glob, path, expected) => {
  expect(call(glob, path)).toBe(expected);
});

test.each([
  "{a,b}".repeat(150),
  "{a,{a,{a,b}}}".repeat(60),
  "{".repeat(500),
  "{,}".repeat(300),
  "**/".repeat(300),
])("a hostile glob is matched at once", (glob) => {
  expect(call(`${glob}x`, "a/".repeat(100))).toBe(false);
});

test.each([
  ["[", 'path: the glob "[" has a "[" that is not closed.'],
  ["app/[id", 'path: the glob "app/[id" has a "[" that is not closed.'],
  ["!src/[", 'path: the glob "src/[" has a "[" that is not closed.'],
  ["src/{a,[b}/c", 'path: the glob "src/{a,[b}/c" has a "[" that is not closed.'],
  ["src/a\\", 'path: the glob "src/a\\" ends in a backslash.'],
])("the malformed glob %s is refused", (glob, detail) => {
  expect(() => pathMatcher(glob)).toThrow(
    expect.objectContaining({ code: "INVALID_PARAMS", message: detail }),
  );
});

test("a valid glob that looks malformed is accepted", () => {
  expect(call("app/\\[id", "app/[id")).toBe(true);
  expect(call("app/[[]id]", "app/[id]")).toBe(true);
  expect(call("a]", "src/a]")).toBe(true);
});

test("without limits there is no filter", () => {
  expect(fileFilter({})).toBeUndefined();
  expect(fileFilter({ kinds: [] })).toBeUndefined();
});

function file(path: string, language: string): FileFacts {
  return { path, language, role: "code", flags: 0 };
}

test.each([
  ["golang", "go"],
  ["JS", "javascript"],
  [".rs", "rust"],
  ["yml", "yaml"],
  ["c++", "cpp"],
  ["C#", "csharp"],
  ["!py", "go"],
])("the language %s is also %s", (language, own) => {
  const matches = fileFilter({ language });
  expect([matches?.(file("a", own)), matches?.(file("a", "python"))]).toEqual([true, false]);
});

test("of several globs each must match, and of several languages one", () => {
  const matches = (limits: Parameters<typeof fileFilter>[0], path: string, language = "go") =>
    fileFilter(limits)?.(file(path, language));
  const path = ["src/**", "!*.test.go"];
  expect(matches({ path }, "src/a.go")).toBe(true);
  expect(matches({ path }, "src/a.test.go")).toBe(false);
  expect(matches({ path }, "lib/a.go")).toBe(false);
  expect(matches({ language: ["go", "rust"] }, "a", "rust")).toBe(true);
  expect(matches({ language: ["go", "rust"] }, "a", "java")).toBe(false);
  expect(matches({ language: "!go" }, "a", "go")).toBe(false);
  expect(matches({ language: ["!go", "!rust"] }, "a", "java")).toBe(true);
  expect(fileFilter({ path: [], language: [] })?.(file("a", "go")) ?? true).toBe(true);
  expect(() => fileFilter({ language: ["go", "!klingon"] })).toThrow('"klingon" is unknown');
});
