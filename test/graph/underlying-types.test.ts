import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a value of an alias has the members of its target, also through several aliases", async () => {
  const users = await usersIn({
    "types.ts":
      "export interface Task { title: string }\nexport type Job = Task;\nexport type Jobs = Job[];\n",
    "use.ts":
      'import type { Job, Jobs } from "./types.ts";\n' +
      "export const a = (one: Job) => one.title;\n" +
      "export const b = (all: Jobs) => all[0].title;\n",
  });
  expect(await users("Task.title")).toEqual(["use.ts:2 value", "use.ts:3 value"]);
});

test("an alias of itself has no members", async () => {
  const users = await usersIn({
    "types.ts": "export interface Task { title: string }\nexport type Loop = Loop;\n",
    "use.ts":
      'import type { Loop } from "./types.ts";\nexport const a = (one: Loop) => one.title;\n',
  });
  expect(await users("Task.title")).toEqual(["use.ts:2 value ?"]);
});

test("in Ruby, an object of another name of a class is one of the class", async () => {
  const users = await usersIn({
    "list.rb": "class FileList\n  def sort_all; end\nend\nList = FileList\n",
    "use.rb": "list = List.new\nlist.sort_all\n",
  });
  expect(await users("FileList.sort_all")).toEqual(["use.rb:2 call"]);
});
