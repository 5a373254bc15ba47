import { expect, test } from "vitest";

import { chunkFile } from "../../../src/chunk/chunk.ts";
import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import { withSharedNames } from "../../../src/parse/shared-names/read-shared-names.ts";

test("uses have the innermost definition as their owner, and keep the order of lines", () => {
  const text = 'class A {\n  run() {\n    return process.env.PORT;\n  }\n}\nfetch("/users");\n';
  const symbol = { access: "exported", signature: "", qualifiedName: "A", name: "A" } as const;
  const symbols = [
    { ...symbol, kind: "class", startLine: 1, endLine: 5, nameLine: 1 },
    { ...symbol, name: "run", kind: "method", startLine: 2, endLine: 4, nameLine: 2 },
  ] as const;
  const source = { path: "a.ts", language: "typescript", text, symbols };
  const { uses } = withSharedNames(NO_REFERENCES, source);
  expect(uses.map(({ name, line, owner }) => `${line} ${name} ${owner}`)).toEqual([
    "3 /env/PORT 1",
    "6 /route/users -1",
  ]);
});

test("texts for people have no shared names", () => {
  const text = "Set `process.env.PORT`.\n\n    fetch('/users')\n";
  for (const [path, language] of [
    ["a.md", "markdown"],
    ["a.txt", "text"],
    ["notes", undefined],
  ] as const) {
    expect(chunkFile({ path, language, text }).references).toBe(NO_REFERENCES);
  }
});

test("operations of OpenAPI declare their routes", () => {
  const text = `openapi: 3.0.0
paths:
  /users/{id}:
    get:
      operationId: readUser
`;
  const { references } = chunkFile({ path: "api.yaml", language: "yaml", text });
  expect(references.uses.map(({ line, receiver }) => `${line} ${receiver}`)).toEqual([
    "4 =GET /users/{}",
  ]);
});

test("a file with thousands of names is data", () => {
  const text = Array.from({ length: 2500 }, (_, at) => `A_${at}=1`).join("\n");
  expect(chunkFile({ path: ".env.example", language: undefined, text }).references).toBe(
    NO_REFERENCES,
  );
});
