import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

test("functions of shell scripts: exact in their file, by name elsewhere", async () => {
  const users = await usersIn({
    "lib.sh": 'ROOT=/srv\nlog_line() {\n  echo "$ROOT"\n}\nlog_line start\n',
    "run.sh": '. ./lib.sh\nmain() {\n  log_line hi\n}\nmain\necho "$ROOT"\n',
  });
  expect(await users("log_line")).toEqual(["lib.sh:5 call", "run.sh:3 call ?"]);
  expect(await users("ROOT")).toEqual(["lib.sh:3 value"]);
  expect(await users("main")).toEqual(["run.sh:5 call"]);
});

test("types of schemas", async () => {
  const users = await usersIn({
    "a.proto": "message Account { string id = 1; }\nmessage Reply { Account account = 1; }\n",
    "b.proto": 'import "a.proto";\nmessage Other { Account account = 1; }\n',
  });
  expect(await users("Account", "a.proto")).toEqual(["a.proto:2 type", "b.proto:2 type ?"]);
});

test("targets of makefiles", async () => {
  const users = await usersIn({ Makefile: "all: compile\ncompile:\n\tcc x.c\n" });
  expect(await users("compile")).toEqual(["Makefile:1 value"]);
});
