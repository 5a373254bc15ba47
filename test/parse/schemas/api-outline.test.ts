import { describe, expect, it } from "vitest";

import { isApiText, parseApiOutline } from "../../../src/parse/schemas/api-outline.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";
import { LINEAR_TIME } from "../../chunk/helpers.ts";
import type { Definition } from "../../../src/parse/languages/definition-rules.ts";

function definitions(text: string, language = "json"): string[] {
  const list = (found: readonly Definition[], indent: string): string[] =>
    found.flatMap(({ startLine, endLine, nameLine, kind, name, members }) => [
      `${indent}${startLine}-${endLine} (${nameLine}) ${kind} ${name}`,
      ...list(members, `${indent}  `),
    ]);
  return list(parseApiOutline(splitLines(text), language)?.definitions ?? [], "");
}

describe("descriptions of interfaces", () => {
  it("are recognized by their first keys", () => {
    expect(isApiText('{"openapi": "3.1.0"}', "json")).toBe(true);
    expect(isApiText("# API\nswagger: '2.0'\n", "yaml")).toBe(true);
    expect(isApiText('{"$schema":"https://json-schema.org/draft/2020-12/schema"}', "json")).toBe(
      true,
    );
    expect(isApiText('{"$schema": "https://json.schemastore.org/tsconfig"}', "json")).toBe(false);
    expect(isApiText('{"dependencies": {"openapi": "^3.0.0"}}', "json")).toBe(false);
    expect(isApiText("swagger: '2.0'\n", "toml")).toBe(false);
  });

  it("have operations by their id or their route, and schemas", () => {
    const text = [
      '{ "swagger": "2.0", "paths": {',
      ' "/a/{id}": { "parameters": [],',
      '  "get": { "deprecated": true,',
      '   "operationId": "getA" },',
      '  "delete": {} } },',
      ' "definitions": {',
      '  "A": { "properties": { "id": {} } },',
      '  "B": { "type": "string" } } }',
    ].join("\n");
    expect(definitions(text)).toEqual([
      "2-5 (2) section /a/{id}",
      "  3-4 (4) function getA",
      "  3-3 (3) section GET /a/{id}",
      "  5-5 (5) function DELETE /a/{id}",
      "7-7 (7) class A",
      "  7-7 (7) field id",
      "8-8 (8) type B",
    ]);
  });

  it("without anything to name have no outline", () => {
    expect(parseApiOutline(splitLines('{"openapi": "3.0.0"}'), "json")).toBeUndefined();
    expect(parseApiOutline(splitLines("openapi: 3.0.0\npaths: nothing\n"), "yaml")).toBeUndefined();
  });

  it("without a title list the properties of their schema", () => {
    const text =
      '{"$schema": "http://json-schema.org/draft-07/schema#",\n"properties": {\n"a": {} } }';
    expect(definitions(text)).toEqual(["3-3 (3) field a"]);
  });
});

it("60,000 paths take linear time", { timeout: LINEAR_TIME }, () => {
  const text = `openapi: 3.0.0\npaths:\n${"  /a:\n    get:\n      operationId: b\n".repeat(60_000)}`;
  expect(definitions(text, "yaml")).toHaveLength(180_000);
});
