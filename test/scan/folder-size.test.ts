import { expect, onTestFinished, test } from "vitest";

import { folderSize } from "../../src/scan/folder-size.ts";
import { tree } from "../helpers/tree.ts";

test("the files that an index would have are counted, and not the others", () => {
  const place = tree({
    "a.ts": "export {};\n",
    "docs/b.md": "# B\n",
    ".gitignore": "out/\n",
    "out/c.js": "0;\n",
    "node_modules/d/index.js": "0;\n",
    "logo.png": "png",
  });
  onTestFinished(place.dispose);
  expect(folderSize(place.path)).toEqual({ files: 3, bytes: 11 + 4 + 5 });
});

test("a missing folder is an error", () => {
  expect(() => folderSize("/nowhere/at/all")).toThrow(
    expect.objectContaining({ code: "PATH_NOT_FOUND" }),
  );
});
