import { describe, expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { usersIn } from "../helpers/reference-users.ts";

/** Returns which of some overloads each statement of a function uses: numbers of the overloads, "-" for none. */
async function calledBy(
  overloads: readonly string[],
  statements: readonly string[],
  { parameters = "", more = "" }: { readonly parameters?: string; readonly more?: string } = {},
): Promise<readonly string[]> {
  const files = {
    "api.h": `#pragma once\nnamespace api {\n${overloads.join("\n")}\n}\n`,
    "use.cpp": `#include "api.h"\n${more}\nvoid use(${parameters}) {\n${statements.join("\n")}\n}\n`,
  };
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const first = files["use.cpp"].split("\n").indexOf(statements[0] ?? "") + 1;
  const called = statements.map((): number[] => []);
  const symbols = (await reader.symbolsOf("api.h")).filter(({ kind }) => kind === "function");
  for (const [number, symbol] of symbols.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const { line, path } of await graph.referencesTo({ ...symbol, path: "api.h" })) {
      if (path === "use.cpp") called[line - first]?.push(number);
    }
  }
  return called.map((numbers) => numbers.join(" ") || "-");
}

describe("an overload of C++", () => {
  test("has the calls with its number of arguments, with defaults, packs and dots", async () => {
    expect(
      await calledBy(
        [
          "void log(int level);",
          "void log(int level, const char* text, int line = 0);",
          "template <typename... Args> void info(format_string<Args...> text, Args&&... args);",
          "template <typename T> void info(const T& value);",
          "int print(const char* format, ...);",
          "int print(File* file, int size, const char* format, ...);",
        ],
        ["api::log(1);", 'api::log(1, "a");', 'api::log(1, "a", 2);', 'api::info("{}", 1);'],
      ),
    ).toEqual(["0", "1", "1", "2"]);
  });

  test("has the calls with its types, if these are certain", async () => {
    expect(
      await calledBy(
        ["void set(int value);", "void set(const char* text);", "void set(const Point& point);"],
        [
          "api::set(1);",
          'api::set("a");',
          "api::set(count);",
          "api::set(point);",
          "api::set(read());",
        ],
        { parameters: "int count, Point point" },
      ),
    ).toEqual(["0", "1", "0", "2", "0 1 2"]);
  });

  test("takes what is moved, or what is not", async () => {
    expect(
      await calledBy(
        ["void add(const Item& item);", "void add(Item&& item);"],
        ["api::add(item);", "api::add(std::move(item));", "api::add(Item{});"],
        { parameters: "Item item" },
      ),
    ).toEqual(["0", "1", "1"]);
  });

  test("is worse than one without type parameters that fits as well", async () => {
    expect(
      await calledBy(
        ["void put(int value);", "template <typename T> void put(T value);"],
        ["api::put(1);", "api::put(1.5);", "api::put(unknown());"],
      ),
    ).toEqual(["0", "1", "0 1"]);
  });

  test("keeps the uses of all if a value may be converted", async () => {
    expect(
      await calledBy(
        ["void open(const Path& path);", "void open(Handle handle);"],
        ['api::open("a");', "api::open(count);", "api::open(nullptr);"],
        { parameters: "Count count" },
      ),
    ).toEqual(["0 1", "0 1", "0 1"]);
  });

  test("is none that cannot take the arguments", async () => {
    expect(await calledBy(["void run(int a);"], ["api::run(1, 2);"])).toEqual(["0"]);
    const users = await usersIn({
      "a.cpp": "void run(int a) {}\nvoid use() { run(1); run(1, 2); }\n",
      "b.cpp": "void run(int a);\nvoid more() {\n  run(1, 2);\n}\n",
    });
    expect(await users("run", "a.cpp")).toEqual(["a.cpp:2 call", "b.cpp:3 call ?"]);
  });
});

test("a declaration and its definition have the same uses, and its defaults apply in both files", async () => {
  const users = await usersIn({
    "store.h": `class Store {
 public:
  int open(const std::string& path, int flags = 0);
  int open(int descriptor);
  int size() const;
};
`,
    "store.cpp": `#include "store.h"
int Store::open(const std::string& path, int flags) { return flags; }
int Store::open(int descriptor) { return open(name(), 1); }
int Store::size() const { return 0; }
`,
    "main.cpp": `#include "store.h"
void run(Store& store) {
  store.open("a", 1);
  store.open("a");
  store.open(3);
}
`,
  });
  const both = ["main.cpp:3 call", "main.cpp:4 call", "store.cpp:3 call"];
  expect(await users("Store.open", { path: "store.h" })).toEqual(both);
  expect(await users("Store.open", { path: "store.cpp" })).toEqual(both);
  expect(await users("Store.open", { path: "store.h", at: 1 })).toEqual(["main.cpp:5 call"]);
  expect(await users("Store.open", { path: "store.cpp", at: 1 })).toEqual(["main.cpp:5 call"]);
});

test("a type has another name in the definition", async () => {
  const users = await usersIn({
    "time.hpp": "void wait(Millis time);\nvoid wait(const Event& event, Millis time);\n",
    "time.cpp": '#include "time.hpp"\nvoid wait(long time) {}\n',
    "main.cpp": '#include "time.hpp"\nvoid run() { wait(1L); }\n',
  });
  expect(await users("wait", "time.cpp")).toEqual(["main.cpp:2 call"]);
  expect(await users("wait", { path: "time.hpp", at: 1 })).toEqual([]);
});

test("a call in the file of the overloads", async () => {
  const users = await usersIn({
    "time.hpp": `inline int local(const long& time) { return 0; }
inline int local() { long now = 1; return local(now); }
inline int utc() { return local(); }
`,
  });
  expect(await users("local")).toEqual(["time.hpp:2 call"]);
  expect(await users("local", { at: 1 })).toEqual(["time.hpp:3 call"]);
});

test("a method that overrides one of several has the calls of that one", async () => {
  const users = await usersIn({
    "sink.h": `class Sink {
 public:
  virtual void log(int level);
  virtual void log(int level, const char* text);
};
class File : public Sink {
 public:
  void log(int level) override;
};
`,
    "main.cpp": '#include "sink.h"\nvoid run(Sink* s) {\n  s->log(1);\n  s->log(1, "a");\n}\n',
  });
  expect(await users("File.log")).toEqual(["main.cpp:3 call"]);
});

test("`::name` is no member and in no namespace", async () => {
  const users = await usersIn({
    "file.cpp": `namespace io {
int close(int handle) { return ::close(handle); }
}
class File { void close(int handle) { ::close(handle); ::reset(); } };
void reset() {}
`,
  });
  expect(await users("close")).toEqual([]);
  expect(await users("File.close")).toEqual([]);
  expect(await users("reset")).toEqual(["file.cpp:4 call"]);
});

test("a name is one of the namespaces of its file", async () => {
  const users = await usersIn({
    "fmt.h": "BEGIN_FMT\nclass formatter { public: virtual void run(int a); };\n",
    "own.h": "namespace own {\nclass formatter { public: virtual void run(int a); };\n}\n",
    "other.h": "namespace other {\nclass formatter { public: virtual void run(int a); };\n}\n",
    "pattern.h": `#include "fmt.h"
#include "other.h"
#include "own.h"
namespace own {
class pattern : public formatter { void run(int a) override; };
}
`,
    "main.cpp": '#include "pattern.h"\nvoid use(own::formatter& f) { f.run(1); }\n',
  });
  expect(await users("pattern.run")).toEqual(["main.cpp:2 call"]);
  expect(await users("formatter", "own.h")).toEqual(["main.cpp:2 type", "pattern.h:5 inherit"]);
  expect(await users("formatter", "other.h")).toEqual([]);
  expect(await users("formatter", "fmt.h")).toEqual([]);
});
