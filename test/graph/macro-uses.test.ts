import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const HEADER = `struct state_s { int pending; char *buffer; };
struct stream_s { struct state_s *state; };
struct other_s { char *buffer; };
void flush(struct state_s *s);
#define PUT(s, c) { (s)->buffer[(s)->pending++] = (c); }
#define PUT_TWO(s, w) { PUT(s, (w) & 0xff); PUT(s, (w) >> 8); }
#define PUT_STREAM(z, c) PUT((z)->state, c)
#define DONE(s) flush(s)
#define DONE_TWICE(s) do { DONE(s); DONE(s); } while (0)
`;

test("a use of a macro is a use of what its body names, through other macros too", async () => {
  const users = await usersIn({
    "state.h": HEADER,
    "main.c": `#include "state.h"
#ifdef DONE
void end(struct state_s *s) { DONE(s); }
#endif
void twice(struct state_s *s) {
  DONE_TWICE(s);
}
`,
  });
  expect(await users("flush")).toEqual(["main.c:3 call", "main.c:6 call", "state.h:8 call ?"]);
});

test("a member in a macro is one of the type of the macro's argument", async () => {
  const users = await usersIn({
    "state.h": HEADER,
    "main.c": `#include "state.h"
void put(struct state_s *s, struct other_s *o, struct stream_s *z) {
  PUT(s, 1);
  PUT(o, 2);
  PUT_TWO(s, 3);
  PUT_STREAM(z, 4);
  PUT(unknown, 5);
}
`,
  });
  const inBody = ["state.h:5 value ?"];
  expect(await users("state_s.buffer")).toEqual([
    "main.c:3 call",
    "main.c:5 call",
    "main.c:6 call",
    ...inBody,
  ]);
  expect(await users("other_s.buffer")).toEqual(["main.c:4 call", ...inBody]);
});

test("a macro that is also a function, or has a definition without the name, proves nothing", async () => {
  const users = await usersIn({
    "zip.h": `void pack(int a);
int close_file(int a);
#if FAST
#define close_file(a) pack(a)
#define SEND(a) pack(a)
#define KEEP(a) pack(a)
#else
#define SEND(a) other(a)
#define KEEP(a) { pack(a); }
#endif
`,
    "main.c": `#include "zip.h"
void run(void) {
  close_file(1);
  SEND(2);
  KEEP(3);
}
`,
  });
  expect(await users("pack")).toEqual([
    "main.c:5 call",
    "zip.h:4 call ?",
    "zip.h:5 call ?",
    "zip.h:6 call ?",
    "zip.h:9 call ?",
  ]);
});

test("C: a type definition gives a structure its name in another file", async () => {
  const users = await usersIn({
    "node.h": "struct node;\ntypedef struct node node;\nvoid visit(node *n);\n",
    "node.c":
      '#include "node.h"\nstruct node { int id; };\nstatic int id_of(node *n) { return n->id; }\n',
    "other.c": "struct node { int other; };\nstatic int of(node *n) { return n->other; }\n",
  });
  expect(await users("node", "node.h")).toEqual([
    "node.c:3 type",
    "node.h:2 type",
    "node.h:3 type",
  ]);
});
