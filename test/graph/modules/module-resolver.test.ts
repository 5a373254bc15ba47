import * as fc from "fast-check";
import { expect, test } from "vitest";

import { LANGUAGES } from "../../../src/scan/languages.ts";
import { resolverOf } from "./tree-of.ts";

const PARTS = ["a", "b", "A", "src", "index", "mod", "lib", "..", ".", "*", "crate", "super", ""];
const ENDINGS = [".ts", ".py", ".go", ".java", ".rs", ".h", ".php", ".rb", ".cs", ".swift", ".lua"];
const SEPARATORS = ["/", ".", "::", "\\", ":"];

const part = fc.constantFrom(...PARTS);
const file = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "A", "src", "lib"), { maxLength: 3 }),
    fc.constantFrom("a", "b", "A", "index", "mod", "lib", "__init__"),
    fc.constantFrom(...ENDINGS),
  )
  .map(([folders, name, ending]) => [...folders, `${name}${ending}`].join("/"));
const module = fc
  .tuple(fc.array(part, { maxLength: 5 }), fc.constantFrom(...SEPARATORS))
  .map(([parts, separator]) => parts.join(separator));

test("for any import, the files are in the project, and no target is both internal and external", () => {
  fc.assert(
    fc.property(
      fc.array(file, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...LANGUAGES),
      fc.array(fc.oneof(module, fc.string({ unit: "binary-ascii" })), {
        minLength: 1,
        maxLength: 6,
      }),
      (files, language, modules) => {
        const resolver = resolverOf({ files });
        const [path = ""] = files;
        const from = { path, language, package: "a.b" };
        for (const written of modules) {
          const target = resolver.resolve(from, written);
          for (const found of target.files) expect(files).toContain(found);
          expect(new Set(target.files).size).toBe(target.files.length);
          expect(target.isExternal && target.files.length > 0).toBe(false);
          expect(resolver.resolve(from, written)).toBe(target);
        }
        for (const sibling of resolver.siblingsOf(from)) {
          expect(files).toContain(sibling);
          expect(sibling).not.toBe(path);
        }
        for (const name of resolver.lastPartsOf(path, language)) expect(name).not.toBe("");
      },
    ),
    { numRuns: 400 },
  );
});

test("the cache distinguishes importers for which an import has different targets", () => {
  const resolver = resolverOf({
    files: ["a/x.ts", "a/y.ts", "b/y.ts", "a/y.js", "c/c.go", "c/c_test.go"],
    configs: { "go.mod": "module own\n" },
  });
  const files = (path: string, language: string, written: string): readonly string[] =>
    resolver.resolve({ path, language, package: "" }, written).files;
  expect(files("a/x.ts", "typescript", "./y")).toEqual(["a/y.ts"]);
  expect(files("a/z.js", "javascript", "./y")).toEqual(["a/y.js"]);
  expect(files("b/x.ts", "typescript", "./y")).toEqual(["b/y.ts"]);
  expect(files("c/c_test.go", "go", "own/c")).toEqual(["c/c.go", "c/c_test.go"]);
  expect(files("c/c.go", "go", "own/c")).toEqual(["c/c.go"]);
});
