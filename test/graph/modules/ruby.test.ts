import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf } from "./tree-of.ts";

const FILES = [
  "activesupport/lib/active_support.rb",
  "activesupport/lib/active_support/json.rb",
  "activesupport/lib/active_support/core_ext/string.rb",
  "activesupport/test/abstract_unit.rb",
  "activerecord/lib/active_record/base.rb",
  "activerecord/test/abstract_unit.rb",
  "activerecord/test/cases/base_test.rb",
  "activerecord/test/cases/helper.rb",
  "blog/app/models/html_page.rb",
];

function resolveAll(from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf({ files: FILES });
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

test("files are found on the load path or next to the file", () => {
  const modules = [
    "active_support",
    "active_support/json",
    "abstract_unit",
    "helper",
    "./helper",
    "../abstract_unit.rb",
    "cases/helper",
  ];
  expect(resolveAll("activerecord/test/cases/base_test.rb", modules)).toEqual([
    "activesupport/lib/active_support.rb",
    "activesupport/lib/active_support/json.rb",
    "activerecord/test/abstract_unit.rb",
    "activerecord/test/cases/helper.rb",
    "activerecord/test/cases/helper.rb",
    "activerecord/test/abstract_unit.rb",
    "activerecord/test/cases/helper.rb",
  ]);
});

test("Ruby's libraries and other gems are external, a missing relative path is unknown", () => {
  expect(
    resolveAll("activesupport/lib/active_support/core_ext/string.rb", [
      "json",
      "set",
      "rack",
      "./none",
    ]),
  ).toEqual(["external", "external", "external", "unknown"]);
  expect(resolveAll("activesupport/lib/active_support/x.rb", ["json"])).toEqual(["external"]);
});

test("constants are loaded from the file with their name", () => {
  const modules = ["ActiveRecord::Base", "::ActiveSupport::JSON::Encoding", "HTMLPage", "None"];
  expect(resolveAll("activerecord/test/cases/base_test.rb", modules)).toEqual([
    "activerecord/lib/active_record/base.rb #Base",
    "activesupport/lib/active_support/json.rb #JSON.Encoding",
    "blog/app/models/html_page.rb #HTMLPage",
    "unknown",
  ]);
});
