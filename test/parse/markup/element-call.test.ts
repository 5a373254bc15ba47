import { expect, test } from "vitest";

import { AppendedText } from "../../../src/parse/markup/appended-text.ts";
import {
  isComponentName,
  isNamePath,
  writeElement,
  writeValue,
} from "../../../src/parse/markup/element-call.ts";

test("names of components are capitalized, or members", () => {
  expect(["Card", "menu.item", "card", "article-card"].map(isComponentName)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(["Card", "Menu.Item", "größe", "a-b", "1a", "a."].map(isNamePath)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("code that is not whole is left out", () => {
  const out = new AppendedText();
  const code = { out, rename: undefined };
  expect(writeValue(code, { text: "a + b", at: 3 })).toBe(true);
  expect(writeValue(code, { text: "a // b", at: 3 })).toBe(true);
  expect(writeValue(code, { text: "f(a", at: 3 })).toBe(false);
  expect(writeValue(code, { text: "  ", at: 3 })).toBe(false);
  expect(out.toString()).toBe("(a + b)(a // b\n)");
});

test("an element is a call with what its attributes set", () => {
  const out = new AppendedText();
  writeElement({ out, rename: undefined }, { text: "Card", at: 1 }, [
    { key: { text: "title", at: 6 }, value: undefined },
    { key: { text: "size", at: 20 }, value: { text: "a + 1", at: 26 } },
    { key: { text: "not-a-key", at: 40 }, value: { text: "b", at: 50 } },
    { key: { text: "open", at: 60 }, value: { text: "(", at: 66 } },
    { key: undefined, value: { text: "rest", at: 70 } },
  ]);
  expect(out.toString()).toBe('Card({title: "",size: (a + 1),...(b),open: "",...(rest),})');
  expect(out.originOf(out.toString().indexOf("size"))).toBe(20);
});
