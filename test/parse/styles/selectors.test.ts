import { expect, test } from "vitest";

import { selectorNames } from "../../../src/parse/styles/selectors.ts";

function read(text: string, outer: readonly string[] = []): string {
  const { names, parents } = selectorNames(text, outer);
  const written = names.map(
    ({ name, isSubject, isGlobal }) => `${isSubject ? "" : "?"}${name}${isGlobal ? "!" : ""}`,
  );
  return `${written.join(" ")} / ${parents.join(" ")}`;
}

test("a rule is about the last part of each of its selectors", () => {
  expect(read(".nav .link, #app > a.active:hover")).toBe(
    "?.nav .link ?#app .active / .link .active",
  );
  expect(read(".a , .b.c")).toBe(".a .b .c / .a .c");
  expect(read(".btn a")).toBe("?.btn / ");
});

test("& stands for the selectors around", () => {
  expect(read("&-primary, &__icon .x", [".btn"])).toBe(
    ".btn-primary ?.btn__icon .x / .btn-primary .x",
  );
  expect(read("&:hover", [".btn"])).toBe(" / .btn");
  expect(read("&.active", [".btn"])).toBe(".active / .active");
});

test("brackets: what is not meant is mentioned, and some reach beyond the component", () => {
  expect(read(".a:not(.b):is(.c, .d)")).toBe(".a ?.b .c .d / .a");
  expect(read(".a :deep(.b) .c, :global(.d)")).toBe("?.a ?.b! .c .d! / .c");
  expect(read(".a ::v-deep .b")).toBe("?.a .b! / .b");
});

test("texts, attributes, interpolations and escapes are no names", () => {
  expect(read('.a[href=".b"] "#c"')).toBe("?.a / ");
  expect(read(".col-#{$size}")).toBe(" / ");
  expect(read(".md\\:flex")).toBe(" / ");
  expect(read("%card")).toBe("%card / %card");
});
