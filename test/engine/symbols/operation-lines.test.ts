import { expect, it } from "vitest";

import { operationLines } from "../../../src/engine/symbols/operation-lines.ts";

it("an operation has its route, and the summary before the description", () => {
  const lines = [
    '"/users": {',
    '  "post": {',
    '    "description": "Long.",',
    '    "summary": "Create a \'user\'",',
    '    "operationId": "createUser" } }',
  ];
  const place = {
    name: "createUser",
    qualifiedName: "/users.createUser",
    startLine: 2,
    endLine: 5,
  };
  expect(operationLines(lines, place)).toEqual({
    signature: "createUser: POST /users",
    docLine: "Create a 'user'",
  });
});

it("an operation without an id is its route", () => {
  const lines = ["/a:", "  get:", "    description: |", "      Text.", "  put: {}"];
  const name = "GET /a";
  const place = { name, qualifiedName: `/a.${name}`, startLine: 2, endLine: 4 };
  expect(operationLines(lines, place)).toEqual({ signature: "GET /a", docLine: "" });
});

it("lines that are gone give the name", () => {
  const place = { name: "x", qualifiedName: "x", startLine: 9, endLine: 9 };
  expect(operationLines([], place)).toEqual({ signature: "x", docLine: "" });
});
