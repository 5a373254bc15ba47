import { expect, test } from "vitest";

import { FileFlag } from "../../../src/index/types.ts";
import {
  areVariants,
  copyRank,
  pathFacts,
  withoutExtension,
  versionedPath,
} from "../../../src/search/copies/copy-paths.ts";

test.each([
  ["dist/index.js", true],
  ["priv/static/app.js", true],
  ["single_include/json.hpp", true],
  ["docs/docsets/A.docset/Contents/a.html", true],
  ["a.min.js", true],
  ["src/index.ts", false],
  ["src/distance.ts", false],
  ["lib/output/writer.ts", false],
])("whether %s is build output", (path, isIt) => {
  expect(pathFacts(path).isOutput).toBe(isIt);
});

test("a file that people write for the project comes before output, and output before code of others", () => {
  const ranks = [
    { path: "src/a.js", flags: 0 },
    { path: "src/a.js", flags: FileFlag.generated },
    { path: "dist/a.js", flags: 0 },
    { path: "vendor/a.js", flags: FileFlag.vendored },
  ].map((file) => copyRank(file, pathFacts(file.path)));
  expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
  expect(new Set(ranks).size).toBe(ranks.length);
  expect(ranks[0]).toBe(0);
});

test("a path names the source that its file was made from", () => {
  expect(pathFacts("pkg/lib/a/b.js").compiledFrom).toBe("pkg/src/a/b");
  expect(pathFacts("pkg/library/b.js").compiledFrom).toBeUndefined();
  expect(pathFacts("lib/a.d.ts").compiledFrom).toBe(withoutExtension("src/a.ts"));
  expect(pathFacts("js/a.min.js").minified).toBe("js/a.js");
  expect(pathFacts("js/minute.js").minified).toBeUndefined();
});

test.each([
  ["www/docs/a.md", undefined],
  ["www/versioned_docs/version-10.x/a.md", { document: "www/docs/a.md", version: "10.x" }],
  ["docs/v2.1/a.md", { document: "docs/a.md", version: "2.1" }],
  ["docs/3/a.md", { document: "docs/a.md", version: "3" }],
  ["docs/3d/a.md", undefined],
])("the version in the path %s", (path, page) => {
  expect(versionedPath(path)).toEqual(page);
});

test.each([
  ["api/v1/types.go", "api/v2/types.go", true],
  ["src/unix/tty.c", "src/win/tty.c", true],
  ["src/poll_linux.go", "src/poll_darwin.go", true],
  ["examples/one/a.ts", "examples/two/a.ts", false],
])("whether %s and %s are variants", (one, other, are) => {
  expect(areVariants(one, other)).toBe(are);
});
