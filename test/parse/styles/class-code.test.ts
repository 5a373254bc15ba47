import { expect, test } from "vitest";

import { classesInCode } from "../../../src/parse/styles/class-code.ts";

function read(code: string, hasKeys = true): string {
  const text = `((${code}))`;
  return classesInCode(text, { start: 2, end: text.length - 2, hasKeys })
    .map(({ name, at }) => (text.startsWith(name, at) ? name : `${name}?`))
    .join(" ");
}

test("texts, also in conditions and lists", () => {
  expect(read(`on ? "a b" : 'c'`)).toBe("a b c");
  expect(read("[ 'a', on && 'b' ]")).toBe("a b");
  expect(read("`a b-${size} ${on ? 'c' : ''} d`")).toBe("a c d");
});

test("keys of objects with conditions", () => {
  expect(read("{ active: isActive, 'is-open': open, done }")).toBe("active is-open done");
  expect(read('{ primary: "btn-primary", ghost: "btn-ghost" }[kind]')).toBe(
    "btn-primary btn-ghost",
  );
  expect(
    read('"a", { defaultVariants: { size: "sm" }, compoundVariants: [{ size: "sm" }] }', false),
  ).toBe("a");
  expect(read('{ variants: { size: { sm: "p-1" } } }', false)).toBe("p-1");
});

test("compared texts, indexes and arguments of other functions are no classes", () => {
  expect(read(`kind === "x" ? "a" : "y" !== kind && t("z")`)).toBe("a");
  expect(read(`styles["x"], clsx("a", { b: on }), names["y"].z`)).toBe("a b");
});
