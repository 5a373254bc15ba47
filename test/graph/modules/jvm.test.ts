import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

const JAVA: TestTree = {
  files: [
    "core/src/main/java/org/own/a/Foo.java",
    "core/src/main/java/org/own/a/Bar.java",
    "core/src/test/java/org/own/a/FooTest.java",
    "core/src/test/java/org/own/mockito/Asserts.java",
    "web/src/main/java/org/own/a/Foo.java",
    "web/src/main/java/org/own/web/Page.java",
    "web/src/main/kotlin/org/own/web/Routes.kt",
  ],
};

function resolveAll(
  tree: TestTree,
  from: readonly [path: string, packageName: string],
  modules: readonly string[],
): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(...from), module));
}

test("a class is in the file with its name, nearest first", () => {
  const modules = [
    "org.own.a.Foo",
    "org.own.a.Bar.Inner",
    "org.own.a.Bar.make",
    "org.own.web.RoutesKt",
  ];
  expect(
    resolveAll(JAVA, ["web/src/main/java/org/own/web/Page.java", "org.own.web"], modules),
  ).toEqual([
    "web/src/main/java/org/own/a/Foo.java + core/src/main/java/org/own/a/Foo.java #Foo",
    "core/src/main/java/org/own/a/Bar.java #Bar.Inner",
    "core/src/main/java/org/own/a/Bar.java #Bar.make",
    "web/src/main/kotlin/org/own/web/Routes.kt #RoutesKt",
  ]);
});

test("a package consists of all its folders", () => {
  const from = ["web/src/main/java/org/own/web/Page.java", "org.own.web"] as const;
  const files =
    "[web/src/main/java/org/own/a/Foo.java core/src/main/java/org/own/a/Bar.java " +
    "core/src/main/java/org/own/a/Foo.java core/src/test/java/org/own/a/FooTest.java]";
  expect(resolveAll(JAVA, from, ["org.own.a.*", "org.own.a"])).toEqual([files, files]);
  expect(resolveAll(JAVA, from, ["org.own.a.Foo.*"])).toEqual([
    "web/src/main/java/org/own/a/Foo.java + core/src/main/java/org/own/a/Foo.java #Foo",
  ]);
});

test("other packages are external; a class missing from a package of the project is unknown", () => {
  const modules = [
    "java.util.List",
    "org.mockito.Mockito.when",
    "org.own.a.Generated",
    "org.own.a.proto.Message",
    "com.other.*",
  ];
  const from = ["core/src/test/java/org/own/a/FooTest.java", "org.own.a"] as const;
  expect(resolveAll(JAVA, from, modules)).toEqual([
    "external",
    "external",
    "unknown",
    "unknown",
    "external",
  ]);
});

test("classes of a package see each other across all source roots", () => {
  const resolver = resolverOf(JAVA);
  const foo = importer("core/src/main/java/org/own/a/Foo.java", "org.own.a");
  expect(resolver.siblingsOf(foo)).toEqual([
    "core/src/main/java/org/own/a/Bar.java",
    "core/src/test/java/org/own/a/FooTest.java",
    "web/src/main/java/org/own/a/Foo.java",
  ]);
  expect(resolver.lastPartsOf("core/src/main/java/org/own/a/Foo.java", "java")).toEqual([
    "Foo",
    "a",
  ]);
});

const KOTLIN: TestTree = {
  files: [
    "app/src/main/kotlin/Main.kt",
    "app/src/main/kotlin/http/Server.kt",
    "app/src/main/kotlin/http/functions.kt",
    "app/src/main/kotlin/io.own.utils/Bits.kt",
    "own-events/common/src/Events.kt",
  ],
};

test("Kotlin folders may omit the shared package prefix, and packages may be named after their module", () => {
  const modules = [
    "io.own.http.Server",
    "io.own.http.respond",
    "io.own.http.Server.Companion",
    "io.own.utils.Bits",
    "io.own.events.*",
    "io.own.none.*",
    "kotlin.math.*",
  ];
  expect(resolveAll(KOTLIN, ["app/src/main/kotlin/Main.kt", "io.own"], modules)).toEqual([
    "app/src/main/kotlin/http/Server.kt #Server",
    "[app/src/main/kotlin/http/Server.kt app/src/main/kotlin/http/functions.kt] #respond",
    "app/src/main/kotlin/http/Server.kt #Server.Companion",
    "app/src/main/kotlin/io.own.utils/Bits.kt #Bits",
    "[own-events/common/src/Events.kt]",
    "unknown",
    "external",
  ]);
  expect(resolverOf(KOTLIN).lastPartsOf("own-events/common/src/Events.kt", "kotlin")).toEqual([
    "Events",
    "src",
    "EventsKt",
    "events",
  ]);
});

test("Scala names are looked up in the enclosing packages; objects may be in the package object", () => {
  const tree: TestTree = {
    files: [
      "core/src/main/scala/cats/Monad.scala",
      "core/src/main/scala/cats/data/Chain.scala",
      "core/src/main/scala/cats/syntax/eq.scala",
      "core/src/main/scala/cats/syntax/package.scala",
    ],
  };
  const modules = ["cats.syntax.eq._", "data.Chain", "_root_.cats.Monad", "Prop._", "cats.syntax"];
  expect(resolveAll(tree, ["core/src/main/scala/cats/Monad.scala", "cats"], modules)).toEqual([
    "core/src/main/scala/cats/syntax/eq.scala + core/src/main/scala/cats/syntax/package.scala #eq",
    "core/src/main/scala/cats/data/Chain.scala #Chain",
    "core/src/main/scala/cats/Monad.scala #Monad",
    "external",
    "[core/src/main/scala/cats/syntax/eq.scala core/src/main/scala/cats/syntax/package.scala]",
  ]);
});
