import { expect, test } from "vitest";

import {
  isNearlyQualifiedBy,
  isBelow,
  isQualifiedBy,
  parseOperatorQuery,
  parseSymbolQuery,
} from "../../src/search/symbol-query.ts";

test.each<[string, string, string]>([
  ["open", "open", ""],
  ["Session.open", "open", "session"],
  ["Session::open", "open", "session"],
  ["Session#open", "open", "session"],
  ["session->open()", "open", "session"],
  ["pkg.mod.open", "open", "pkg mod"],
  ["crate::net::Session::open", "open", "net session"],
  ["self.open", "open", ""],
  ["this.open()", "open", ""],
  ["App\\Models\\User", "User", "app models"],
  ["src/session.ts", "ts", "src session"],
  ["Guide > Install", "Install", "guide"],
  ["Map<String, List<Foo>>.get(key)", "get", "map"],
  ["List<Foo>", "List", ""],
  ["open(path: string): void", "open", ""],
  ["open(a.b", "open", ""],
  ["`open`", "open", ""],
  ["class Session", "Session", ""],
  ["export async function open", "open", ""],
  ["new Session()", "Session", ""],
  ["function", "function", ""],
  ["  parse   conf ", "parse conf", ""],
  [".open", "open", ""],
  ["open.", "open", ""],
  ["_", "_", ""],
])("%j asks for %j in %j", (text, name, qualifiers) => {
  const query = parseSymbolQuery(text);
  expect([query?.name, query?.qualifiers.join(" ")]).toEqual([name, qualifiers]);
});

test.each(["", "  ", "()", "...", "!?", "->"])("%j asks for nothing", (text) => {
  expect(parseSymbolQuery(text)).toBeUndefined();
});

test.each<[string, string, string, boolean]>([
  ["session", "Session.", "src/net.ts", true],
  ["net session", "Session.", "src/net.ts", true],
  ["src session", "Session.", "src/net.ts", true],
  ["session", "net.Session.", "src/a.ts", true],
  ["net", "net.Session.", "src/net.ts", false],
  ["session net", "net.Session.", "src/a.ts", false],
  ["pkg mod", "", "pkg/mod.py", true],
  ["mod", "", "pkg/mod.py", true],
  ["pkg", "", "pkg/mod.py", true],
  ["other", "", "pkg/mod.py", false],
  ["org util strings", "Strings.", "lib/org/util/Strings.java", true],
  ["guide", "Guide > ", "docs/guide.md", true],
])("%j qualifies %jx in %s: %s", (qualifiers, owner, path, expected) => {
  expect(isQualifiedBy(qualifiers.split(" "), { owner, path })).toBe(expected);
});

test.each([
  ["ops", "src/ops/compile/mod.rs", "", true],
  ["crate ops", "src/ops/compile/mod.rs", "", false],
  ["src ops", "src/ops/compile.rs", "", true],
  ["ops src", "src/ops/compile.rs", "", false],
  ["compile", "src/ops/compile.rs", "", true],
  ["ops", "src/ops/compile.rs", "Unit.", false],
])("below %s: %s %s is %s", (qualifiers, path, owner, expected) => {
  expect(isBelow(qualifiers.split(" "), { owner, path })).toBe(expected);
});

test("a scope with almost the right name is distinguished from others", () => {
  expect(isNearlyQualifiedBy(["sesion"], { owner: "Session.", path: "a.ts" })).toBe(true);
  expect(isNearlyQualifiedBy(["sesion"], { owner: "Folder.", path: "a.ts" })).toBe(false);
});

test.each([
  ["<+>", "<+>"],
  ["(>>=)", ">>="],
  ["`!?`", "!?"],
  ["a + b", undefined],
  ["()", undefined],
])("%j asks for the operator %j", (text, operator) => {
  expect(parseOperatorQuery(text)?.name).toBe(operator);
});
