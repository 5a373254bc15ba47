import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  isNamespaceName,
  namespaceNameFor,
  namespaceNotFound,
  requireNamespaceName,
} from "../../src/sources/namespace.ts";
import { anyText } from "../helpers/any-text.ts";

test.each(["a", "0", "docs", "a.b_c-d", "x".repeat(64)])("%j is a name", (name) => {
  expect(isNamespaceName(name)).toBe(true);
  expect(requireNamespaceName(name)).toBe(name);
});

test.each(["", "A", "-a", ".a", "_a", "a b", "a/b", "ä", "x".repeat(65), "a\n"])(
  "%j is none",
  (name) => {
    expect(isNamespaceName(name)).toBe(false);
    expect(() => requireNamespaceName(name)).toThrow("is not a namespace name");
  },
);

test.each(["con", "nul.txt", "aux", "com1", "lpt9.a", "docs."])(
  "on Windows, %j is none: it cannot be a folder there",
  (name) => {
    expect(isNamespaceName(name, "win32")).toBe(false);
    expect(isNamespaceName(name, "linux")).toBe(true);
    expect(() => requireNamespaceName(name, "win32")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("such as `con`") }),
    );
  },
);

test.each(["console", "nullable", "com", "com10", "docs.v1"])(
  "on Windows, %j is a name",
  (name) => {
    expect(isNamespaceName(name, "win32")).toBe(true);
  },
);

test.each([
  ["My Project", "my-project"],
  ["@scope/pkg", "scope-pkg"],
  ["..hidden", "hidden"],
  ["日本", "workspace"],
  ["", "workspace"],
])("the folder %j becomes %j", (folder, name) => {
  expect(namespaceNameFor(folder)).toBe(name);
});

test("any folder name gives a valid namespace name", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 100 }), (folder) => {
      expect(isNamespaceName(namespaceNameFor(folder))).toBe(true);
    }),
  );
});

test("a typo is corrected only to a namespace that the caller may see", () => {
  expect(namespaceNotFound("dcos", ["docs", "api"]).hint).toMatch(/^Did you mean "docs"\? /);
  expect(namespaceNotFound("dcos", ["api"]).hint).toMatch(/^`index_status`/);
  expect(namespaceNotFound("dcos").message).toBe(namespaceNotFound("dcos", ["docs"]).message);
});
