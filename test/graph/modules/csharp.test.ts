import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf } from "./tree-of.ts";

const FILES = [
  "Src/Own.Json/Converter.cs",
  "Src/Own.Json/Linq/Token.cs",
  "Src/Own.Json/Linq/Path/Filter.cs",
  "Src/Own.Json.Tests/Linq/TokenTests.cs",
  "Tools/Core/Run/Job.cs",
  "Tools/Core/Program.cs",
];

function resolveAll(
  from: readonly [path: string, packageName: string],
  modules: readonly string[],
): readonly string[] {
  const resolver = resolverOf({ files: FILES });
  return modules.map((module) => describeTarget(resolver, importer(...from), module));
}

test("a namespace is found by folder names", () => {
  const from = ["Src/Own.Json.Tests/Linq/TokenTests.cs", "Own.Json.Tests.Linq"] as const;
  expect(resolveAll(from, ["Own.Json", "Own.Json.Linq", "global::Own.Json.Linq.Path"])).toEqual([
    "[Src/Own.Json/Converter.cs]",
    "[Src/Own.Json/Linq/Token.cs]",
    "[Src/Own.Json/Linq/Path/Filter.cs]",
  ]);
});

test("folders may omit the prefix that all namespaces share", () => {
  expect(resolveAll(["Tools/Core/Program.cs", "Company.Core"], ["Company.Core.Run"])).toEqual([
    "[Tools/Core/Run/Job.cs]",
  ]);
  expect(resolveAll(["Tools/Core/Program.cs", "Other.Core"], ["Company.Core.Run"])).toEqual([
    "unknown",
  ]);
});

test("an import may name a type instead of a namespace", () => {
  const from = ["Src/Own.Json/Converter.cs", "Own.Json"] as const;
  expect(resolveAll(from, ["Own.Json.Linq.Token", "Own.Json.Linq.Other"])).toEqual([
    "Src/Own.Json/Linq/Token.cs #Token",
    "[Src/Own.Json/Linq/Token.cs] #Other",
  ]);
});

test("only platform namespaces are external", () => {
  const from = ["Src/Own.Json/Converter.cs", "Own.Json"] as const;
  expect(resolveAll(from, ["System", "Microsoft.CSharp", "NUnit.Framework"])).toEqual([
    "external",
    "external",
    "unknown",
  ]);
});

test("a file sees its namespace and the enclosing ones", () => {
  const resolver = resolverOf({ files: FILES });
  expect(
    resolver.siblingsOf(importer("Src/Own.Json/Linq/Path/Filter.cs", "Own.Json.Linq.Path")),
  ).toEqual(["Src/Own.Json/Linq/Token.cs", "Src/Own.Json/Converter.cs"]);
  expect(resolver.lastPartsOf("Src/Own.Json/Linq/Token.cs", "csharp")).toEqual(["Linq", "Token"]);
  expect(resolver.lastPartsOf("Src/Own.Json/Converter.cs", "csharp")).toEqual([
    "Json",
    "Converter",
  ]);
});
