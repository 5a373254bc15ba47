import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { usersIn } from "../helpers/reference-users.ts";

test("C: headers, structures and functions with the same name", async () => {
  const users = await usersIn({
    "include/loop.h": `#ifndef LOOP_H
#define LOOP_H
#include "queue.h"
#define LOOP_LIMIT 3
enum state { IDLE, BUSY };
typedef struct loop_s loop_t;
struct loop_s { int active; queue_t queue; };
loop_t *loop_new(void);
void loop_run(loop_t *loop, enum state state);
static inline int loop_size(loop_t *loop) { return loop->queue.size; }
#endif
`,
    "include/queue.h": "typedef struct { int size; } queue_t;\n",
    "src/loop.c": `#include "loop.h"
static int helper(loop_t *loop) { return loop->active; }
loop_t *loop_new(void) { return 0; }
void loop_run(loop_t *loop, enum state state) { helper(loop); }
`,
    "src/other.c": `static int helper(int a) { return a; }
int other(void) { return helper(1); }
`,
    "src/main.c": `#include <stdio.h>
#include "loop.h"
int main(int count, void *unknown) {
  loop_t *loop = loop_new();
  loop_run(loop, BUSY);
  printf("%d", loop->queue.size + loop_size(loop) + LOOP_LIMIT);
  loop_new()->active = 1;
  unknown->active = 2;
}
`,
  });
  expect(await users("loop_run", "src/loop.c")).toEqual(["src/main.c:5 call"]);
  expect(await users("loop_run", "include/loop.h")).toEqual(["src/main.c:5 call"]);
  expect(await users("helper", "src/loop.c")).toEqual(["src/loop.c:4 call"]);
  expect(await users("helper", "src/other.c")).toEqual(["src/other.c:2 call"]);
  expect(await users("loop_s.active")).toEqual([
    "src/loop.c:2 value",
    "src/main.c:7 value",
    "src/main.c:8 value ?",
  ]);
  expect(await users("queue_t.size")).toEqual(["include/loop.h:10 value", "src/main.c:6 value"]);
  expect(await users("state.BUSY")).toEqual(["src/main.c:5 value"]);
  expect(await users("LOOP_LIMIT")).toEqual(["src/main.c:6 value"]);
  expect(await users("loop_size")).toEqual(["src/main.c:6 call"]);
});

test("C++: classes in headers and sources, namespaces, templates and base classes", async () => {
  const users = await usersIn({
    "include/shape.h": `namespace draw {
class Canvas;
class Shape {
 public:
  explicit Shape(int size);
  virtual int area() const;
  void grow(int by);
 protected:
  int size_;
};
template <typename T> class Stack {
 public:
  T* top() { return items_; }
  T* items_;
};
namespace detail { inline int twice(int a) { return a + a; } }
int twice(int a, int b);
}
`,
    "src/shape.cc": `#include "shape.h"
namespace draw {
Shape::Shape(int size) : size_(size) {}
int Shape::area() const { return detail::twice(size_); }
void Shape::grow(int by) { size_ = this->size_ + by; area(); }
}
`,
    "src/round.cc": `#include "../include/shape.h"
class Round : public draw::Shape {
 public:
  int area() const { return size_; }
};
int main() {
  Round round(1);
  auto made = new Round(2);
  round.grow(1);
  made->area();
  draw::Stack<Round> stack;
  stack.top();
  std::unique_ptr<draw::Shape> owned;
  owned->grow(2);
  std::twice(3);
}
`,
  });
  expect(await users("Shape.grow", "src/shape.cc")).toEqual([
    "src/round.cc:9 call",
    "src/round.cc:14 call",
  ]);
  expect(await users("Shape.size_")).toEqual([
    "src/round.cc:4 value",
    "src/shape.cc:3 value",
    "src/shape.cc:4 value",
    "src/shape.cc:5 value",
  ]);
  expect(await users("Shape.area", "include/shape.h")).toEqual([
    "src/round.cc:10 call",
    "src/shape.cc:5 call",
  ]);
  expect(await users("Shape", "include/shape.h")).toEqual([
    "src/round.cc:2 inherit",
    "src/round.cc:13 type",
    "src/shape.cc:3 value",
    "src/shape.cc:4 value",
    "src/shape.cc:5 value",
  ]);
  expect(await users("Stack.top")).toEqual(["src/round.cc:12 call"]);
  expect(await users("Round")).toEqual([
    "src/round.cc:7 type",
    "src/round.cc:8 call",
    "src/round.cc:11 type",
  ]);
});

test("C++: nested types outside of their class, their enumerators, private members and initialisers", async () => {
  const users = await usersIn({
    "db.h": `class Mutex { public: void lock(); };
class Filter { public: virtual void add(int key); };
class Db {
 public:
  enum Mode { kRead, kWrite };
  enum class Level { kRead };
  Db(int size);
  void open();
 private:
  struct State;
  void compact(State* state);
  Mode mode_;
  int size;
  Mutex mutex_
      GUARDED_BY(mutex_);
  Filter parts_[4];
};
`,
    "db.cc": `#include "db.h"
struct Db::State {
  struct Output { int bytes; };
  Output* last() { return &outputs[0]; }
  std::vector<Output> outputs;
};
class Bloom : public Filter { public: void add(int key); };
void Bloom::add(int key) {}
Db::Db(int size) : size(size), mode_(kRead) {}
void Db::open() {
  mode_ = kWrite;
  mutex_.lock();
  parts_[1].add(2);
  compact(new State());
}
void Db::compact(State* state) {
  state->last()->bytes = state->outputs[1].bytes;
  Filter* filter = new Bloom();
  filter[0].add(1);
}
`,
  });
  expect(await users("Db.State.Output.bytes")).toEqual(["db.cc:17 value"]);
  expect(await users("Db.State.last")).toEqual(["db.cc:17 call"]);
  expect(await users("Db.State")).toEqual(["db.cc:14 call", "db.cc:16 type", "db.h:11 type"]);
  expect(await users("Db.Mode.kWrite")).toEqual(["db.cc:11 value"]);
  expect(await users("Db.Mode.kRead")).toEqual(["db.cc:9 value"]);
  expect(await users("Db.Level.kRead")).toEqual([]);
  expect(await users("Db.compact", { path: "db.cc" })).toEqual(["db.cc:14 call"]);
  expect(await users("Db.size")).toEqual(["db.cc:9 value"]);
  expect(await users("Mutex.lock")).toEqual(["db.cc:12 call"]);
  // The method that Bloom overrides is called through its base class.
  expect(await users("Bloom.add", { path: "db.cc" })).toEqual(["db.cc:13 call", "db.cc:19 call"]);
});

test("C++: a name before :: is a namespace, not a member of the class around it", async () => {
  const users = await usersIn({
    "level.h": `namespace level {
enum level_enum : int { trace, debug };
}
`,
    "logger.h": `#include "level.h"
class logger {
 public:
  int level() const;
  void trace(int value) { log(level::trace, value); }
  void log(int level, int value);
};
`,
  });
  expect(await users("level_enum.trace")).toEqual(["logger.h:5 value"]);
});

test("C: the definitions of a file are read when somebody asks in which of them a use is", async () => {
  const reader = await memoryIndex({
    "a.h": "void run(void);\n",
    "a.c": '#include "a.h"\nvoid run(void) {}\n',
    "b.c": '#include "a.h"\nvoid other(void) { run(); }\n',
  });
  const read: string[] = [];
  const scopeOf: typeof reader.scopeOf = async (path) => {
    const scope = await reader.scopeOf(path);
    if (scope === undefined) return undefined;
    return {
      ...scope,
      get symbols() {
        read.push(path);
        return scope.symbols;
      },
    };
  };
  const graph = await ReferenceGraph.open(
    Object.assign(Object.create(reader), { scopeOf }),
    () => undefined,
  );
  const [run] = await reader.symbolsOf("a.c");
  if (run === undefined) throw new Error("not indexed");
  const [use] = await graph.referencesTo({ ...run, path: "a.c" });
  expect([use?.path, use?.line, read.includes("b.c")]).toEqual(["b.c", 2, false]);
  expect([use?.owner?.name, read.includes("b.c")]).toEqual(["other", true]);
});

test("in C++, a field does not hide the namespace of its name before `::`", async () => {
  const users = await usersIn({
    "level.hpp": "namespace level { enum kind { low, high }; }\n",
    "log.hpp": `#include "level.hpp"
struct message {
  level::kind level;
  void set() {
    level = low();
    level::high;
  }
};
`,
  });
  expect(await users("message.level")).toEqual(["log.hpp:5 value"]);
});
