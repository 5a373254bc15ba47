import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

async function receiversOf(member: string, source: string): Promise<readonly string[]> {
  const { references } = await chunk("typescript", source);
  return references.uses.flatMap(({ name, receiver }) => (name === member ? [receiver] : []));
}

const HEAD = `import { first, Box, Tag, Page } from "./types.ts";\n`;

test("type arguments and what a call passes are steps of an expression", async () => {
  expect(
    await receiversOf(
      "a",
      `${HEAD}function run(tags: Tag[], box: Box<Tag, Page[]>, plain: Box<string>, local: <T>(x: T) => T) {
  box.a;
  plain.a;
  first(tags).a;
  first(1, (tag) => tags).a;
  first<Tag>("x").a;
  new Box(tags).a;
  new Box<Tag>().a;
  local(tags).a;
  console.log(tags).a;
}
`,
    ),
  ).toEqual([
    "@Box<:@Tag,:@Page*>",
    "@Box",
    "first<@Tag*>()",
    "first<,^@Tag*>()",
    "first<:@Tag>()",
    "@Box<@Tag*>",
    "@Box<:@Tag>",
    "?",
    "console.log()",
  ]);
});

test("functions of the file without type parameters, and methods of collections, need no arguments", async () => {
  expect(
    await receiversOf(
      "a",
      `${HEAD}function open(tag: Tag): Page { throw 1; }
function pick<T>(one: T): T { throw 1; }
function run(tag: Tag, tags: Tag[]) {
  open(tag).a;
  pick(tag).a;
  tags.filter((one) => tag).slice(1)[0].a;
  tags.map((one) => tag)[0].a;
}
`,
    ),
  ).toEqual(["open()", "pick<@Tag>()", "@Tag", "@Tag*.map<^@Tag>()[]"]);
});

test("a generic type that another one inherits from is kept with its arguments", async () => {
  const { references } = await chunk(
    "typescript",
    `${HEAD}export class Own<T> extends Box<T, Tag> {}
export class Plain extends Box {}
export interface Other extends Tag, Page<Tag> {}
`,
  );
  const inherited = references.uses.filter(({ role }) => role === "inherit");
  expect(inherited.map(({ name, arguments: types }) => `${name} ${types ?? ""}`)).toEqual([
    "Box @Box<:'c0',:@Tag>",
    "Box ",
    "Tag ",
    "Page @Page<:@Tag>",
  ]);
});
