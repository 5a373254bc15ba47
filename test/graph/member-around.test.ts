import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a bare name means the member of the innermost type around it", async () => {
  const users = await usersIn({
    "A.java":
      "class A {\n  int size;\n  int read() { return size; }\n  class B {\n    int size;\n    int read() { return size; }\n  }\n}\n",
  });
  expect(await users("A.size")).toEqual(["A.java:3 value"]);
  expect(await users("A.B.size")).toEqual(["A.java:6 value"]);
});

test("in a method that is defined outside of its type, too", async () => {
  const users = await usersIn({
    "a.h": "class Store {\n public:\n  int size;\n  int read();\n};\n",
    "a.cc": '#include "a.h"\nint Store::read() { return size; }\n',
  });
  expect(await users("Store.size")).toEqual(["a.cc:2 value"]);
});
