import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("names in the body of a macro are uses of the macro", async () => {
  expect(
    await usesIn(
      "c",
      `#define LIMIT (DEFAULT_LIMIT + 1) /* not: COMMENT */
#define CALL(name, value) { name(value, "not: TEXT"); log_call(value, extra); }
#define MEMBER(s) ((s)->head.next = s->tail)
#define PASSED(s, t) MEMBER(s->list); MEMBER(&t); MEMBER(s + 1)
#define PASTED(a) a##_end; start_##a; #a
#define FLOW(x) retry: if (x) goto retry; else local.member = 1
#define GUARD
`,
    ),
  ).toEqual([
    "1 value ~.DEFAULT_LIMIT in LIMIT",
    "2 call ~.log_call in CALL",
    "2 value ~.extra in CALL",
    "3 value ~0.head in MEMBER",
    "3 value ~0.head.next in MEMBER",
    "3 value ~0.tail in MEMBER",
    "4 call ~.MEMBER in PASSED",
    "4 value ~0.list in PASSED",
    "4 call ~.MEMBER in PASSED",
    "4 call ~.MEMBER in PASSED",
    "6 value ~.local in FLOW",
  ]);
});
