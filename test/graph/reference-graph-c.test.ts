import { expect, test } from "vitest";

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
