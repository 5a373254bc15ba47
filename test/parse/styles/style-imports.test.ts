import { expect, test } from "vitest";

import { styleImports } from "../../../src/parse/styles/style-imports.ts";

function read(text: string): readonly string[] {
  return styleImports(text, 3).map(({ module, bindings, isWildcard, isReexport }) => {
    const marks = [isWildcard ? "all" : "", isReexport ? "passed on" : ""].filter(Boolean);
    return [module, ...bindings.map(({ local }) => local), ...marks].join(" ");
  });
}

test("modules of Sass have a namespace", () => {
  expect(read('@use "sass:math"')).toEqual(["sass:math math"]);
  expect(read("@use '../theme/_colors.scss'")).toEqual(["../theme/_colors.scss colors"]);
  expect(read('@use "theme" as t with ($a: 1)')).toEqual(["theme t"]);
  expect(read('@use "theme" as *')).toEqual(["theme all"]);
  expect(read('@forward "src/list" hide $b')).toEqual(["src/list all passed on"]);
});

test("imports", () => {
  expect(read('@import "a", "b"')).toEqual(["a all passed on", "b all passed on"]);
  expect(read("@import url(c.css) screen")).toEqual(["c.css all passed on"]);
  expect(read('@import (reference) "d.less"')).toEqual(["d.less all passed on"]);
  expect(read('@reference "../app.css"')).toEqual(["../app.css all"]);
  expect(read("@include a")).toEqual([]);
  expect(read("@import")).toEqual([]);
});
