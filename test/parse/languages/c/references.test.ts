import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in C", () => {
  it("exclude locals, parameters, labels and parameters of prototypes", async () => {
    const source = `#define LIMIT 10
int helper(int count, char *names[]);
static int run(int a, char *b[], void (*done)(int code)) {
  int c = a, *d = &c, e[LIMIT];
  for (int i = 0; i < LIMIT; i++) done(i);
  extern int outer(void);
  if (c) goto fail;
fail:
  return helper(c, b) + outer() + *d + e[0];
}
`;
    expect(await usesIn("c", source)).toEqual([
      "4 value LIMIT -> LIMIT in run",
      "5 value LIMIT -> LIMIT in run",
      "9 call helper -> helper in run",
      "9 call outer in run",
    ]);
  });

  it("have the types of variables as receivers, including in initializers", async () => {
    const source = `typedef struct loop_s loop_t;
struct node { int x; struct node *next; loop_t loops[2]; void (*cb)(int a); union { int a; } u; };
typedef struct tagged { int k; } alias_t;
enum color { RED, GREEN = 2 };
static const struct ops table = { .open = my_open, .inner = { .close = my_close } };
loop_t *make(void);
void f(struct node *node, alias_t a, const loop_t **l) {
  struct node local = { .x = RED };
  loop_t *loop = make();
  node->next->x; a.k; (*l)->b; l[0]->c;
  ((struct node *) l)->d; loop->e; make()->f; (&local)->g;
  (local.u).a; node->cb(3); node->loops[1].h; (node + 1)->i;
  other->j = (alias_t){ .k = 1 };
}
`;
    expect(await usesIn("c", source)).toEqual([
      "1 type loop_s in loop_t",
      "2 type node -> node in node.next",
      "2 type loop_t -> loop_t in node.loops",
      "5 type ops in table",
      "5 value table.open in table",
      "5 value my_open in table",
      "5 value table.inner in table",
      "5 value table.inner.close in table",
      "5 value my_close in table",
      "6 type loop_t -> loop_t in make",
      "7 type node -> node in f",
      "7 type alias_t -> alias_t in f",
      "7 type loop_t -> loop_t in f",
      "8 type node -> node in f",
      "8 value local.x in f",
      "8 value RED -> color.RED in f",
      "9 type loop_t -> loop_t in f",
      "9 call make -> make in f",
      "10 value @node.next in f",
      "10 value @node.next.x in f",
      "10 value @alias_t.k in f",
      "10 value @loop_t.b in f",
      "10 value @loop_t.c in f",
      "11 type node -> node in f",
      "11 value @node.d in f",
      "11 value @loop_t.e in f",
      "11 call make -> make in f",
      "11 value make().f in f",
      "11 value @node.g in f",
      "12 value @node.u in f",
      "12 value @node.u.a in f",
      "12 call @node.cb in f",
      "12 value @node.loops in f",
      "12 value @node.loops.h in f",
      "12 value @node.i in f",
      "13 value other in f",
      "13 value other.j in f",
      "13 type alias_t -> alias_t in f",
      "13 value @alias_t.k in f",
    ]);
    expect(await typesIn("c", source)).toEqual([
      "loop_t @loop_s",
      "node.next @node",
      "node.loops @loop_t",
      "tagged @alias_t",
      "color.RED @color",
      "color.GREEN @color",
      "table @ops",
      "make @loop_t",
    ]);
  });

  it("include headers", async () => {
    const source = `#include "uv.h"
#include <sys/types.h>
#include CONFIG
`;
    expect(await importsIn("c", source)).toEqual(["1 uv.h wildcard", "2 sys/types.h wildcard"]);
    expect(await usesIn("c", source)).toEqual(["3 value CONFIG"]);
  });
});
