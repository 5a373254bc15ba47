import { expect, test } from "vitest";

import { OpenElements } from "../../../src/parse/markup/open-elements.ts";

test("an element closes those in it, and ends their scopes", () => {
  const written: string[] = [];
  const closed: string[] = [];
  const open = new OpenElements((code) => written.push(code));
  open.open("ul", "}1");
  open.open("li", "}2", () => closed.push("li"));
  open.open("b");
  expect(open.innermost).toBe("b");
  expect(open.close("i")).toBe(false);
  expect(open.close("ul")).toBe(true);
  expect(written).toEqual(["}2", "}1"]);
  expect(closed).toEqual(["li"]);
  expect(open.innermost).toBe("");
});

test("a block closes what is in its part before `{:else}`", () => {
  const written: string[] = [];
  const open = new OpenElements((code) => written.push(code));
  open.open("#each", "}each");
  open.open("#if", "}if");
  open.open("<p", "}p");
  expect(open.innermostOf("#each", "#if")).toBe("#if");
  expect(open.innermostOf("#await", "#each")).toBe("#each");
  expect(open.innermostOf("#await", "#key")).toBe("");
  expect(open.closeInside("#if")).toBe(true);
  expect(open.closeInside("#key")).toBe(false);
  expect(written).toEqual(["}p"]);
  open.closeAll();
  expect(written).toEqual(["}p", "}if", "}each"]);
});

test("deep elements have no scopes", () => {
  const open = new OpenElements(() => undefined);
  for (let depth = 0; depth < 64; depth += 1) open.open("a", "}");
  expect(open.mayOpenScope).toBe(false);
  open.close("a");
  expect(open.mayOpenScope).toBe(true);
});
