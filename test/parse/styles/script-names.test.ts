import { expect, test } from "vitest";

import {
  moduleMembers,
  moduleNames,
  propertyNames,
  scriptNames,
} from "../../../src/parse/styles/script-names.ts";
import { ValueEnds } from "../../../src/parse/styles/value-end.ts";

function read(text: string): string {
  const names = scriptNames(text, new ValueEnds(text));
  return names.map(({ name }) => name).join(" ");
}

test("calls that change classes", () => {
  expect(read('el.classList.add("a", on ? "b" : "c"); $(el).toggleClass("d e")')).toBe(
    ".a .b .c .d .e",
  );
  expect(read('clsx("a", { b: on }); cva("c", { variants: { size: { sm: "d" } } })')).toBe(
    ".a .b .c .d",
  );
});

test("selectors", () => {
  expect(read('document.querySelector(".a > #b.c"); $("#d"); getElementById("e")')).toBe(
    ".a #b .c #d #e",
  );
  expect(read('querySelector("dialog.a")')).toBe(".a");
  expect(read('find("a.js"); get("/x.y"); locator("#fff"); find(name); on("a.b.c")')).toBe("");
});

test("custom properties", () => {
  expect(read('style.setProperty("--a", 1); getPropertyValue("--b"); setProperty("c")')).toBe(
    "--a --b",
  );
  const names = propertyNames(`style="--a: 1; --b: 2" { "--c": 3 } 'var(--d)' run("--flag")`);
  expect(names.map(({ name }) => name)).toEqual(["--a", "--b", "--c", "--d"]);
});

test("members of imported style sheets", () => {
  const imports = [
    { module: "./a.module.css", bindings: [{ name: "default", local: "styles" }] },
    { module: "./b.scss?inline", bindings: [{ name: "*", local: "$b" }] },
    { module: "./c.ts", bindings: [{ name: "default", local: "c" }] },
    { module: "./d.css", bindings: [] },
  ];
  const modules = moduleNames(imports);
  expect(modules).toEqual(["styles", "$b"]);
  const text = 'styles.big styles["is-on"] $b?.wideRow my.styles.no c.no';
  expect(moduleMembers(text, modules).map(({ name, module }) => `${module} ${name}`)).toEqual([
    "styles .big",
    "styles .is-on",
    "$b .wideRow",
    "$b .wide-row",
  ]);
  expect(moduleMembers(text, [])).toEqual([]);
});
