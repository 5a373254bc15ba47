import { expect, test } from "vitest";

import { findSharedName, namesSharedOnly } from "../../../src/engine/symbols/find-shared-name.ts";
import type { SharedKind } from "../../../src/parse/shared-names/shared-name.ts";
import type { SharedPlace } from "../../../src/graph/shared-references.ts";

interface Asked {
  readonly asked: string[];
  readonly placesOf: (kind: SharedKind, name: string) => Promise<readonly SharedPlace[]>;
}

/** A project with places of these names. */
function shared(...names: readonly string[]): Asked {
  const asked: string[] = [];
  const placesOf: Asked["placesOf"] = (kind, name) => {
    asked.push(`${kind} ${name}`);
    if (!names.includes(`${kind} ${name}`)) return Promise.resolve([]);
    const place = { kind, name, path: "a.ts", owner: undefined };
    return Promise.resolve([
      { ...place, line: 1, isDeclared: true },
      { ...place, line: 2, isDeclared: false },
    ]);
  };
  return { asked, placesOf };
}

test("a bare name is a variable, else a table", async () => {
  const project = shared("table orders");
  const found = await findSharedName(project, "Orders");
  expect(found?.declared.map(({ line }) => line)).toEqual([1]);
  expect(found?.used.map(({ line }) => line)).toEqual([2]);
  expect(project.asked).toEqual(["env Orders", "table orders"]);
});

test.each([
  ["env:PORT", ["env PORT"]],
  ["table:public.Orders", ["table orders"]],
  ["GET /users/{id}", ["route GET /users/{}"]],
  ["route:/users/:id", ["route /users/{}"]],
  ["/users", ["route /users"]],
  ["a b", []],
  ["GET /", []],
])("%s", async (text, expected) => {
  const project = shared();
  expect(await findSharedName(project, text)).toBeUndefined();
  expect(project.asked).toEqual(expected);
});

test("what can only be a shared name", () => {
  const only = ["env:PORT", "table:x", "POST /users", "/users"].filter(namesSharedOnly);
  expect(only).toEqual(["env:PORT", "table:x", "POST /users", "/users"]);
  expect(["PORT", "src/a.ts", "A.b", "//x", "open /x"].filter(namesSharedOnly)).toEqual([]);
});
