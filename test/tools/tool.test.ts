import { describe, expect, test } from "vitest";
import { tools } from "../../src/tools/registry.ts";
import { repeatsStructuredContent } from "../helpers/rpc.ts";
import { tokenProject } from "./token-project.ts";

const { call, root } = tokenProject();

describe("descriptors", () => {
  test("the tools have the order of the product decisions", () => {
    expect(
      tools.map(
        ({ name, group, readOnly }) => `${name} ${group} ${readOnly ? "reads" : "changes"}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "outline analysis reads",
        "search_context search reads",
        "search_text search reads",
        "find_symbol search reads",
        "read_context analysis reads",
        "find_references analysis reads",
        "analyze_impact analysis reads",
        "find_related analysis reads",
        "index_status indexing reads",
        "index_source indexing changes",
        "list_changes monitoring reads",
        "set_monitor monitoring changes",
      ]
    `);
  });

  test("all descriptors together are small enough for every prompt", () => {
    const tokens = Math.ceil(JSON.stringify(tools.map(({ descriptor }) => descriptor)).length / 4);
    expect(tokens).toBeLessThan(1900);
    expect(tokens).toMatchInlineSnapshot(`1899`);
  });

  test.each(tools)(
    "$name has a closed schema, sentences and honest annotations",
    ({ name, descriptor, readOnly }) => {
      // The only tool that may fetch a repository.
      const openWorldHint = name === "index_source";
      expect(descriptor).toMatchObject({
        inputSchema: { type: "object", additionalProperties: false },
        annotations: readOnly
          ? { readOnlyHint: true, openWorldHint }
          : { readOnlyHint: false, destructiveHint: false, openWorldHint },
      });
      expect(descriptor.description).toMatch(/^[A-Z].*\.$/);
      expect(descriptor.inputSchema).not.toHaveProperty("$schema");
    },
  );

  test.each(tools)("the schema of $name", ({ descriptor }) => {
    expect(descriptor.inputSchema).toMatchSnapshot();
  });
});

describe("structured answers", () => {
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    search_context: { query: "revokeToken" },
    search_text: { pattern: "revokeToken" },
    find_symbol: { name: "revokeToken" },
    read_context: { targets: ["revokeToken"] },
    find_references: { symbol: "revokeToken" },
    analyze_impact: { target: "revokeToken" },
    find_related: { target: "revokeToken" },
    index_status: {},
    list_changes: {},
    set_monitor: { action: "list" },
  };

  test.each(tools)(
    "$name is structured only where it declares it, and repeats it as text or sums it up",
    async ({ name, descriptor }) => {
      const input = name === "index_source" ? { source: root() } : inputs[name];
      const { items, outcome } = await call(name, input ?? {});
      expect(outcome.structured !== undefined).toBe(descriptor.outputSchema !== undefined);
      if (outcome.structured === undefined) return;
      const { structured: structuredContent } = outcome;
      const isSummary = name === "index_status" || name === "list_changes";
      expect(repeatsStructuredContent({ content: items, structuredContent })).toBe(!isSummary);
      expect(items).toHaveLength(1);
    },
  );
});
