import { expect, test } from "vitest";

import {
  areSameShared,
  mountedRoute,
  mountOf,
  routeOf,
  sharedNameOf,
  useOfMount,
  useOfSharedName,
} from "../../../src/parse/shared-names/shared-name.ts";

test.each([
  ["get", "https://host.example:80/users/:id/?page=1#top", "GET /users/{}"],
  [undefined, "/users/{id}/orders/<int:order>", "/users/{}/orders/{}"],
  ["POST", "${base}/users/${id}", "POST /users/{}"],
  ["", "/users/0a1b2c3d-0000-4000-8000-000000000000", "/users/{}"],
  ["get", "/:id", undefined],
  ["get", "/", undefined],
  ["get", `/${"a/".repeat(20)}`, undefined],
])("routeOf(%s, %s) is %s", (method, text, expected) => {
  expect(routeOf(method, text)).toBe(expected);
});

test.each([
  ["GET /users/{}", "GET /api/users/{}", true],
  ["/users", "POST /users", true],
  ["GET /users/me", "GET /users/{}", true],
  ["GET /users", "POST /users", false],
  ["GET /users", "GET /users/{}", false],
  ["GET /orders/{}", "GET /users/{}", false],
  ["GET /users/{}/orders", "GET /shops/{}/orders", false],
])("%s and %s are the same: %s", (one, other, expected) => {
  expect(areSameShared("route", one, other)).toBe(expected);
  expect(areSameShared("route", other, one)).toBe(expected);
});

test.each([
  { kind: "env", name: "PORT", line: 3, isDeclared: true },
  { kind: "route", name: "GET /users/{}", line: 1, isDeclared: false },
  { kind: "table", name: "orders", line: 2, isDeclared: false },
] as const)("a use stores $kind $name", (shared) => {
  const use = useOfSharedName(shared, 4);
  expect(use.owner).toBe(4);
  expect(sharedNameOf(use)).toEqual(shared);
});

test("mounts", () => {
  const mount = { prefix: "/users", served: '"./a b"', line: 2 };
  expect(mountOf(useOfMount(mount))).toEqual(mount);
  expect(mountedRoute("/users", "GET /{}")).toBe("GET /users/{}");
  expect(mountedRoute("/users", "/")).toBe("/users");
});
