import { expect, test } from "vitest";

import { camelCase, pascalCase, snakeCase } from "../../src/base/identifier-case.ts";

test("names are written as in another language", () => {
  expect(camelCase("is-wide")).toBe("isWide");
  expect(pascalCase("article-card")).toBe("ArticleCard");
  expect(pascalCase("heroDate")).toBe("HeroDate");
  expect(snakeCase("HTMLParser2")).toBe("html_parser2");
});
