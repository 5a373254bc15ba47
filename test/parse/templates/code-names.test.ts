import { expect, test } from "vitest";

import { codeNames } from "../../../src/parse/templates/code-names.ts";

function namesIn(code: string): readonly string[] {
  return [...codeNames(code, 0, code.length)].map(
    ({ name, isCall, isAssigned, before }) =>
      `${before === undefined ? "" : `${before}.`}${name}${isCall ? "()" : ""}${isAssigned ? "=" : ""}`,
  );
}

test.each([
  ["members and calls", "order.lines().count", ["order", "order.lines()", "order.lines().count"]],
  [
    "other languages",
    "a1->save() Mod::run x1&.go y1?.z1",
    ["a1", "a1.save()", "Mod", "Mod.run", "x1", "x1.go", "y1", "y1.z1"],
  ],
  ["an element of a list", "items[0].title", ["items", ".title"]],
  ["quotes, also open ones", `link "a b", 'c.d', "open name`, ["link"]],
  [
    "numbers, symbols and variables with a sigil",
    "f1(12, :sym, @post.title, $x)",
    ["f1()", ".title"],
  ],
  [
    "keys, arguments and assignments",
    "f1 key: 1, arg=2, b1 == c1, d1 = e1",
    ["f1", "arg=", "b1", "c1", "d1=", "e1"],
  ],
  ["keywords", "if admin? then show! else end", ["admin?", "show!"]],
  ["namespaces", "\\App\\Models\\Post::all()", ["Post", "Post.all()"]],
])("%s", (_, code, expected) => {
  expect(namesIn(code)).toEqual(expected);
});

test("offsets are those of the text", () => {
  const [first] = codeNames("{{ title }}", 3, 8);
  expect(first).toMatchObject({ name: "title", offset: 3, isCall: false, before: undefined });
});
