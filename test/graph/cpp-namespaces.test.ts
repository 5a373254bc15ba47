import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("of two functions in included headers, the one in the named namespace is meant, or in that of the file", async () => {
  const users = await usersIn({
    "disk.h": "namespace disk {\nclass Handle {};\nint open(const Handle& handle);\n}\n",
    "net.h": "namespace net {\nclass Socket {};\nint open(const Socket& socket);\n}\n",
    "main.cpp": `#include "disk.h"
#include "net.h"
namespace net {
int twice(const Socket& one) { return open(one) + disk::open(read()); }
int again(const Socket& one) {
  return net::open(one);
}
}
`,
    "outside.cpp": '#include "disk.h"\n#include "net.h"\nint run() { return open(read()); }\n',
  });
  expect(await users("open", "disk.h")).toEqual(["main.cpp:4 call", "outside.cpp:3 call"]);
  expect(await users("open", "net.h")).toEqual([
    "main.cpp:4 call",
    "main.cpp:6 call",
    "outside.cpp:3 call",
  ]);
});

test("classes of one name in two namespaces are two, a declaration and its definition are one", async () => {
  const users = await usersIn({
    "a.h": "namespace a {\nclass Box { public: void put(int value); };\n}\n",
    "a.cpp": '#include "a.h"\nnamespace a {\nvoid Box::put(int value) {}\n}\n',
    "b.h": "namespace b {\nclass Box { public: void put(int value); };\n}\n",
    "main.cpp": '#include "a.h"\nvoid run(a::Box& box) { box.put(1); }\n',
  });
  expect(await users("Box", "a.h")).toContain("main.cpp:2 type");
  expect(await users("Box", "b.h")).toEqual([]);
  expect(await users("Box.put", "a.cpp")).toEqual(["main.cpp:2 call"]);
  expect(await users("Box.put", "b.h")).toEqual([]);
});
