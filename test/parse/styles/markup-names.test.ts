import { expect, test } from "vitest";

import { attributeNames, shortNames } from "../../../src/parse/styles/markup-names.ts";
import { ValueEnds } from "../../../src/parse/styles/value-end.ts";

function read(text: string): string {
  const names = attributeNames(text, new ValueEnds(text));
  return names
    .map(({ name, at }) =>
      text.startsWith(name.slice(1), at) || !/^[.#]/.test(name) ? name : `${name}?`,
    )
    .join(" ");
}

test("attributes with classes", () => {
  expect(read('<p class="a b">')).toBe(".a .b");
  expect(read("<p className={on ? 'a' : 'b'} />")).toBe(".a .b");
  expect(read("<p :class=\"{ a: x, 'b-c': y }\" v-bind:class='[\"d\"]'>")).toBe(".a .b-c .d");
  expect(read('<p class:list={["a", { b: on }]} contentClassName="c" leave-class="d">')).toBe(
    ".a .b .c .d",
  );
  expect(read("<p class=a>")).toBe(".a");
  expect(read('<p [ngClass]="{ a: on }" class="b {{ c }}">')).toBe(".a .b");
});

test("objects and helpers of templates", () => {
  expect(read(`link_to "x", class: "a b", "class" => "c"`)).toBe(".a .b .c");
  expect(read('h("p", { class: ["a", on && "b"] })')).toBe(".a .b");
});

test("scripts that set attributes", () => {
  expect(read('el.className = "a"; el.className += " b"; el.setAttribute("class", "c d")')).toBe(
    ".a .b .c .d",
  );
});

test("classes that are switched", () => {
  expect(read("<p class:a class:b-c={on}>").replaceAll("?", "")).toBe(".a .b-c");
  expect(read('<p [class.a]="on">').replaceAll("?", "")).toBe(".a");
});

test("ids, and links to them", () => {
  expect(read('<p id="a"><a href="#b">').replaceAll("?", "")).toBe("#a #b");
});

test("other words are no attributes", () => {
  expect(read("class Foo extends Bar { x = 'a' }")).toBe("");
  expect(read("const subclass = 'a'; o.class == 'b'; type T = { class: string }")).toBe("");
});

test("Haml, Slim and Pug", () => {
  const text = "%div.a.b#c\n  .d text\np.e(x)\n  file.txt is\n= f.g\n";
  expect(shortNames(text).map(({ name }) => name)).toEqual([".a", ".b", "#c", ".d", ".e", ".txt"]);
});
