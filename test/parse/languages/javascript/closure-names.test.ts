import { expect, test } from "vitest";

import { usedInClosures } from "../../../../src/parse/languages/javascript/closure-names.ts";
import { flatTreeOf } from "../../../../src/parse/references/parse-references.ts";
import { sharedGrammars } from "../../../chunk/helpers.ts";

/** Returns the names that functions inside the first function of a text use. */
async function usedNames(text: string, names: readonly string[]): Promise<readonly string[]> {
  const grammars = await sharedGrammars();
  const parsed = grammars.parse("javascript", text, (root) => {
    const tree = flatTreeOf(root, text, "javascript");
    const body = root.firstNamedChild?.childForFieldName("body");
    if (!body) throw new Error("the text does not begin with a function");
    const isUsed = usedInClosures(body, tree);
    return names.filter((name) => isUsed(name));
  });
  if (parsed === undefined || "problem" in parsed) throw new Error("no tree");
  return parsed.value;
}

test("a name counts if a function inside of the function uses it", async () => {
  const text = `function outer() {
    const cache = new Map(), size = 1, last = 2;
    log(size);
    return { get: (key) => cache.get(key), clear() { last = 0; } };
  }`;
  expect(await usedNames(text, ["cache", "size", "last"])).toEqual(["cache", "last"]);
});

test("functions in other functions, before and after the function do not count twice or at all", async () => {
  const text = `function outer() {
    function one() { return function () { return deep; }; }
  }
  function other() { return () => elsewhere; }`;
  expect(await usedNames(text, ["deep", "elsewhere"])).toEqual(["deep"]);
});

test("a name is a whole word that is no property", async () => {
  const text = `function outer() {
    return () => state.items + my$count + subtotal + total$;
  }`;
  const names = ["items", "count", "total", "state", "my$count"];
  expect(await usedNames(text, names)).toEqual(["state", "my$count"]);
});

test("of several variables of a name only the first is accepted", async () => {
  const text = "function outer() { return () => twice; }";
  expect(await usedNames(text, ["twice", "twice"])).toEqual(["twice"]);
});
