import { expect, test } from "vitest";

import {
  filterText,
  hasFilter,
  readQuery,
  toggleFilter,
  queryTokens,
  withoutFilters,
} from "../../src/web/search-query.ts";

test.each([
  ["where are tokens revoked", "words", "where are tokens revoked"],
  ["std::string a:b http://x/y", "words", "std::string a:b http://x/y"],
  ['"token expired"', "exact", "token expired"],
  [String.raw`"say \"hi\""`, "exact", 'say "hi"'],
  ["/rev\\w+e\\(/", "regex", "rev\\w+e\\("],
  [String.raw`/a\/b/`, "regex", "a/b"],
  ['cannot read "foo" of undefined', "words", 'cannot read "foo" of undefined'],
  ["/usr/local/bin", "words", "/usr/local/bin"],
  ["sym:parseConfig lang:go", "symbols", "parseConfig"],
  ["lang:go", "words", ""],
  ['"', "words", '"'],
])("%s is searched as %s", (text, mode, subject) => {
  expect(readQuery(text)).toMatchObject({ mode, subject });
});

test("several exact texts are on one line, in any order", () => {
  const { subject, isRegex, mode } = readQuery('"a.b" "c"');
  expect([mode, isRegex]).toEqual(["exact", true]);
  const pattern = new RegExp(subject);
  expect(["a.b c", "c a.b", "axb c", "a.b"].map((line) => pattern.test(line))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(readQuery('/x+/ "y"')).toMatchObject({ mode: "regex", isRegex: true });
  // With many words, the order counts, because each order would need a separate pattern.
  expect(readQuery('"a" "b" "c" "d"').subject).toBe("(?:a).*(?:b).*(?:c).*(?:d)");
});

test("filters have aliases, negation and quotes", () => {
  const parsed = readQuery('x -lang:Go language:rust f:web -path:"my docs/**" case:yes r:gin');
  expect(parsed).toMatchObject({
    languages: ["!go", "rust"],
    paths: ["*web*", "!my docs/**"],
    isCaseSensitive: true,
    namespace: "gin",
    subject: "x",
  });
  expect(readQuery("lang: path: x").languages).toEqual([]);
});

test("kinds of files and of symbols differ", () => {
  expect(readQuery("x kind:docs kind:code").kinds).toEqual(["code", "docs"]);
  expect(readQuery("x -kind:tests").kinds).toEqual(["code", "docs", "config"]);
  expect(readQuery("sym:x kind:Function")).toMatchObject({ kinds: [], symbolKind: "function" });
});

test("a filter is added and removed, whatever is around it", () => {
  expect(toggleFilter("token", "lang", "go")).toBe("token lang:go");
  expect(toggleFilter("a lang:go b", "lang", "go")).toBe("a b");
  expect(toggleFilter("", "path", "my docs/**")).toBe('path:"my docs/**"');
  expect(hasFilter('path:"my docs/**"', "path", "my docs/**")).toBe(true);
  expect(hasFilter("-lang:go", "lang", "go")).toBe(false);
  expect(withoutFilters("a lang:go sym:b -path:c d")).toBe("a sym:b d");
  expect(queryTokens(filterText("path", 'a"b\\ c'))).toMatchObject([{ value: 'a"b\\ c' }]);
});
