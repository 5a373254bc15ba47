import { expect, test } from "vitest";

import { describeTarget, importer, resolverOf } from "./tree-of.ts";

const resolver = resolverOf({
  files: [
    "main.tf",
    "variables.tf",
    "prod.tfvars",
    "terragrunt.hcl",
    "modules/net/main.tf",
    "modules/net/outputs.tf",
    "modules/net/README.md",
    "modules/empty/README.md",
    "examples/full/main.tf",
  ],
});

test.each([
  ["main.tf", "./modules/net", "[modules/net/main.tf modules/net/outputs.tf]"],
  ["examples/full/main.tf", "../../modules/net/", "[modules/net/main.tf modules/net/outputs.tf]"],
  ["examples/full/main.tf", "../../", "[main.tf variables.tf]"],
  ["examples/full/main.tf", "../..", "[main.tf variables.tf]"],
  ["main.tf", "./modules/empty", "unknown"],
  ["main.tf", "../../../out", "unknown"],
  ["main.tf", "terraform-aws-modules/vpc/aws", "external"],
  ["main.tf", "git::https://example.com/net.git//modules/net", "external"],
])("%s: the source %s is %s", (path, module, target) => {
  expect(describeTarget(resolver, importer(path), module)).toBe(target);
});

test("the files of a folder see each other, without files of values and of other tools", () => {
  expect(resolver.siblingsOf(importer("main.tf"))).toEqual(["variables.tf"]);
  expect(resolver.siblingsOf(importer("prod.tfvars"))).toEqual(["main.tf", "variables.tf"]);
  expect(resolver.siblingsOf(importer("terragrunt.hcl"))).toEqual([]);
});

test("modules are imported by their folder, or by nothing but the way to a folder above", () => {
  expect(resolver.lastPartsOf("modules/net/main.tf", "terraform")).toEqual(["net", "."]);
  expect(resolver.lastPartsOf("main.tf", "terraform")).toEqual(["."]);
});
