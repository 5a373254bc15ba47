import { expect, test } from "vitest";

import { importer, meaning, resolverOf } from "./tree-of.ts";

const FILES = [
  "Src/Own.Json/Converter.cs",
  "Src/Own.Json/Linq/Token.cs",
  "Src/Own.Json/Linq/Path/Filter.cs",
  "Src/Own.Json.Tests/Linq/TokenTests.cs",
  "Tools/Core/Run/Job.cs",
  "Tools/Core/Program.cs",
];

function ask(
  from: readonly [path: string, packageName: string],
  modules: readonly string[],
): readonly string[] {
  const resolver = resolverOf({ files: FILES });
  return modules.map((module) => meaning(resolver, importer(...from), module));
}

test("a namespace is guessed from how folders read", () => {
  const from = ["Src/Own.Json.Tests/Linq/TokenTests.cs", "Own.Json.Tests.Linq"] as const;
  expect(ask(from, ["Own.Json", "Own.Json.Linq", "global::Own.Json.Linq.Path"])).toEqual([
    "[Src/Own.Json/Converter.cs]",
    "[Src/Own.Json/Linq/Token.cs]",
    "[Src/Own.Json/Linq/Path/Filter.cs]",
  ]);
});

test("what folders leave out is what all share", () => {
  expect(ask(["Tools/Core/Program.cs", "Company.Core"], ["Company.Core.Run"])).toEqual([
    "[Tools/Core/Run/Job.cs]",
  ]);
  expect(ask(["Tools/Core/Program.cs", "Other.Core"], ["Company.Core.Run"])).toEqual(["unknown"]);
});

test("a type may stand for a namespace", () => {
  const from = ["Src/Own.Json/Converter.cs", "Own.Json"] as const;
  expect(ask(from, ["Own.Json.Linq.Token", "Own.Json.Linq.Other"])).toEqual([
    "Src/Own.Json/Linq/Token.cs #Token",
    "[Src/Own.Json/Linq/Token.cs] #Other",
  ]);
});

test("only the platform is known to be external", () => {
  const from = ["Src/Own.Json/Converter.cs", "Own.Json"] as const;
  expect(ask(from, ["System", "Microsoft.CSharp", "NUnit.Framework"])).toEqual([
    "external",
    "external",
    "unknown",
  ]);
});

test("a file sees its namespace and those around it", () => {
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
