import { expect, it } from "vitest";

import { childAt, keyNode, textAt } from "../../../src/parse/schemas/key-node.ts";

it("children are found by their keys", () => {
  const root = keyNode("", 1);
  const child = keyNode("a", 2);
  const inner = { ...keyNode("b", 3), value: "text" };
  root.children.push(child);
  child.children.push(inner, { ...keyNode("c", 4), value: "" });
  expect(childAt(root, "a", "b")).toBe(inner);
  expect(childAt(root, "a", "x", "b")).toBeUndefined();
  expect(childAt(undefined, "a")).toBeUndefined();
  expect(textAt(child, "b")).toBe("text");
  expect(textAt(child, "c")).toBeUndefined();
});
