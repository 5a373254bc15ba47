import { describe, expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

/**
 * Returns the lines of `a/Use.java` that use the definition at a line of `a/Api.java`: "~" marks uncertain uses.
 */
async function linesUsing(
  files: { readonly api: string; readonly use: string; readonly more?: string },
  line: number,
): Promise<readonly string[]> {
  const { api, use, more = "package a;\n" } = files;
  const reader = await memoryIndex({
    "a/Api.java": `package a;\n${api}`,
    "a/Use.java": `package a;\n${use}`,
    "a/More.java": more,
  });
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const symbols = await reader.symbolsOf("a/Api.java");
  const symbol = symbols.find(({ nameLine, kind }) => nameLine === line && kind !== "class");
  if (symbol === undefined) throw new Error(`nothing is defined at line ${line}`);
  const found = await graph.referencesTo({ ...symbol, path: "a/Api.java" });
  return found
    .filter(({ path }) => path === "a/Use.java")
    .map((one) => `${one.certainty === "name" ? "~" : ""}${one.line}`);
}

/** Returns the lines using each of the overloads that are defined from line 3 on. */
async function tableOf(
  overloads: readonly string[],
  statements: readonly string[],
  { head = "class Api", more = "" }: { readonly head?: string; readonly more?: string } = {},
): Promise<readonly string[]> {
  const api = `${head} {\n${overloads.map((one) => `  ${one} {}\n`).join("")}}\n${more}`;
  const use = `class Use { void use(Api api, int i, long l, Integer boxed, String s, Object o) {\n${statements.join("\n")}\n} }`;
  const lines: string[] = [];
  for (const at of overloads.keys()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const found = await linesUsing({ api, use }, at + 3);
    lines.push(found.map((one) => statements[Number(one.replace("~", "")) - 3] ?? one).join(" "));
  }
  return lines;
}

function shown(
  found: readonly { readonly line: number; readonly certainty: string }[],
): readonly string[] {
  return found.map(({ line, certainty }) => `${line} ${certainty}`);
}

describe("an overload of Java", () => {
  test("has the calls with its number of arguments", async () => {
    expect(
      await tableOf(
        ["void go()", "void go(int a)", "void go(int a, int b)"],
        ["api.go();", "api.go(1);", "api.go(i, 2);"],
      ),
    ).toEqual(["api.go();", "api.go(1);", "api.go(i, 2);"]);
  });

  test("has the calls with arguments of its types", async () => {
    expect(
      await tableOf(
        ["void go(int a)", "void go(long a)", "void go(String a)", "void go(Object a)"],
        [
          "api.go(1);",
          "api.go(2L);",
          'api.go("" + i);',
          "api.go(new Object());",
          "api.go(s.length());",
        ],
      ),
    ).toEqual([
      "api.go(1); api.go(s.length());",
      "api.go(2L);",
      'api.go("" + i);',
      "api.go(new Object());",
    ]);
  });

  test("is chosen as it is before conversions, and these before variadic parameters", async () => {
    expect(
      await tableOf(
        ["void go(long a)", "void go(Integer a)", "void go(int... a)"],
        ["api.go(i);", "api.go(boxed);", "api.go(i, i);", "api.go();", "api.go(new int[2]);"],
      ),
    ).toEqual(["api.go(i);", "api.go(boxed);", "api.go(i, i); api.go(); api.go(new int[2]);"]);
  });

  test("is the most specific one that fits", async () => {
    const more = "class Base {}\nclass Derived extends Base {}\nclass Last extends Derived {}\n";
    expect(
      await tableOf(
        ["void go(Object a)", "void go(Base a)", "void go(Derived a)"],
        ["api.go(new Last());", "api.go(new Base());", "api.go(s);", "api.go(null);"],
        { more },
      ),
    ).toEqual(["api.go(s);", "api.go(new Base());", "api.go(new Last()); api.go(null);"]);
  });

  test("has the functions with its number of parameters, and with a value if it returns one", async () => {
    expect(
      await tableOf(
        [
          "void go(Runnable a)",
          "void go(Supplier<String> a)",
          "void go(Function<String, String> a)",
        ],
        ["api.go(() -> { i = 2; });", "api.go(() -> s);", "api.go(x -> x);"],
      ),
    ).toEqual(["api.go(() -> { i = 2; });", "api.go(() -> s);", "api.go(x -> x);"]);
  });

  test("has arrays apart from their elements, and type parameters with everything", async () => {
    expect(
      await tableOf(
        ["<T> void go(T[] a)", "void go(int[] a)", "void go(List<String> a)"],
        ["api.go(new String[0]);", "api.go(new int[] { 1 });", "api.go(new ArrayList<String>());"],
      ),
    ).toEqual([
      "api.go(new String[0]);",
      "api.go(new int[] { 1 });",
      "api.go(new ArrayList<String>());",
    ]);
  });

  test("has the calls whose argument is the result of a method of that type", async () => {
    const more =
      "class Maker { static Maker of(int a) { return null; } String of() { return null; } int size; }\n";
    expect(
      await tableOf(
        ["void go(Maker a)", "void go(String a)", "void go(int a)"],
        ["api.go(Maker.of(1));", "api.go(new Maker().of());", "api.go(new Maker().size);"],
        { more },
      ),
    ).toEqual(["api.go(Maker.of(1));", "api.go(new Maker().of());", "api.go(new Maker().size);"]);
  });
});

test("calls that fit several overloads are known by name", async () => {
  const api =
    "class Api {\n  void go(int a) {}\n  void go(String a) {}\n  void go(int a, int b) {}\n}\n";
  const use = "class Use { void use(Api api) { api.go(unknown()); } }";
  expect(await linesUsing({ api, use }, 3)).toEqual(["~2"]);
  expect(await linesUsing({ api, use }, 4)).toEqual(["~2"]);
  expect(await linesUsing({ api, use }, 5)).toEqual([]);
});

test("a private overload is not called from another file", async () => {
  const api = "class Api {\n  private void go(String a) {}\n  void go(Object a) {}\n}\n";
  const use = 'class Use { void use(Api api) { api.go(""); } }';
  expect(await linesUsing({ api, use }, 3)).toEqual([]);
  expect(await linesUsing({ api, use }, 4)).toEqual(["2"]);
});

test("overloads of a supertype are inherited unless their parameters are the same", async () => {
  const api = "class Api {\n  void go(int a) {}\n  void go(String a) {}\n}\n";
  const use = `class Use extends Api {
  void go(int a) {}
  void use() {
    go(1);
    go("");
    super.go(2);
  }
}`;
  // A call of the overriding method may be a call of the overridden one.
  expect(await linesUsing({ api, use }, 3)).toEqual(["5", "7"]);
  expect(await linesUsing({ api, use }, 4)).toEqual(["6"]);
});

test("constructors have the calls of new, this and super, references, and the constants of an enum", async () => {
  const api = `class Api {
  Api(int a) { this("" + a); }
  Api(String a) {}
}
`;
  const use = `class Use extends Api {
  Use() { super(1); }
  Use(String a) {
    super(a);
    new Api(2);
    new Api("") {};
  }
}`;
  expect(await linesUsing({ api, use }, 3)).toEqual(["3", "6"]);
  expect(await linesUsing({ api, use }, 4)).toEqual(["5", "7"]);

  const kinds = "enum Api {\n  A(1), B; Api() {}\n  Api(int a) {}\n}\n";
  const reader = await memoryIndex({ "a/Api.java": `package a;\n${kinds}` });
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const counts = (await reader.symbolsOf("a/Api.java"))
    .filter(({ qualifiedName }) => qualifiedName === "Api.Api")
    .map((symbol) => graph.referencesTo({ ...symbol, path: "a/Api.java" }));
  const lines = (await Promise.all(counts)).map((found) => found.map(({ line }) => line));
  expect(lines).toEqual([[3], [3]]);
});

test("methods of anonymous classes and of enum constants override those of the type", async () => {
  const api = "interface Api {\n  void go(int a);\n  default void go(String a) {}\n}\n";
  const use = `class Use {
  void use(Api api) {
    Api own = new Api() {
      public void go(int a) { go(""); }
    };
    api.go(1);
  }
}`;
  expect(await linesUsing({ api, use }, 3)).toEqual(["7"]);
  expect(await linesUsing({ api, use }, 4)).toEqual(["5"]);
  const reader = await memoryIndex({
    "a/Api.java": `package a;\n${api}`,
    "a/Use.java": `package a;\n${use}`,
  });
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const own = (await reader.symbolsOf("a/Use.java")).find(({ name }) => name === "go");
  expect(own?.qualifiedName).toBe("Use.use.go");
  const found = own && (await graph.referencesTo({ ...own, path: "a/Use.java" }));
  expect(found?.map(({ line }) => line)).toEqual([7]);
});

test("with its overloads a definition has the calls of all", async () => {
  const reader = await memoryIndex({
    "a/Api.java":
      "package a;\nclass Api {\n  void go(int a) {}\n  void go(String a) {}\n  void use() {\n    go(1);\n    go(unknown());\n  }\n}\n",
  });
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const [, first] = await reader.symbolsOf("a/Api.java");
  if (first === undefined) throw new Error("no method");
  const hit = { ...first, path: "a/Api.java" };
  expect(shown(await graph.referencesTo(hit))).toEqual(["6 exact", "7 name"]);
  expect(shown(await graph.referencesTo(hit, undefined, { withOverloads: true }))).toEqual([
    "6 exact",
    "7 exact",
  ]);
});
