// The answers for an agent that queries the wrong project: unrelated questions to a part of gin 1.8.1.
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createProject, request, type Project } from "../helpers/project.ts";
import { GIN_FILES } from "./gin-files.ts";

let gin: Project;
beforeAll(async () => {
  gin = createProject(GIN_FILES);
  await gin.engine.index(request());
}, 60_000);
afterAll(() => gin.dispose());

interface ToolReply {
  readonly first: string;
  readonly confidence: number;
  readonly rows: readonly (readonly unknown[])[];
}

async function ask(query: string, limit = 10): Promise<ToolReply> {
  const { items } = await gin.tool("search_context", { query, limit });
  const { "dev.svc/confidence": confidence, "dev.svc/passages": rows = [] } =
    items.at(-1)?.meta ?? {};
  expect(Array.isArray(rows)).toBe(true);
  return {
    first: items[0]?.text ?? "",
    confidence: Number(confidence),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
    rows: rows as ToolReply["rows"],
  };
}

describe("a question about another project is reported", () => {
  test.each([
    "how does the borrow checker infer lifetimes",
    "train a neural network with gradient descent",
    "where are kubernetes pods scheduled",
    "parse the markdown of a pandoc citation",
    "TelescopePicker",
    "SnapKitConstraintMaker",
  ])("%s", async (query) => {
    const { first, confidence } = await ask(query);
    expect(confidence).toBeLessThan(0.2);
    expect(first).toMatch(/^(?:No good match \(confidence 0(?:\.\d+)?\); |Nothing in .* matches)/);
  });
});

describe("a question about the project is not", () => {
  test.each([
    "how are routes added to a group",
    "basic auth accounts",
    "bind json of the request body",
    "recover from a panic in a handler",
    "Engine.ServeHTTP",
  ])("%s", async (query) => {
    const { first, confidence, rows } = await ask(query);
    expect(first).not.toMatch(/^No good match/);
    expect(confidence).toBeGreaterThan(0.2);
    for (const row of rows) expect(row[5]).toBeLessThanOrEqual(confidence);
  });
});

test("the numbers are the same each time, and whatever the limit", async () => {
  const query = "how are routes added to a group";
  const [all, again, few] = [await ask(query), await ask(query), await ask(query, 2)];
  expect(again).toEqual(all);
  expect(few.confidence).toBe(all.confidence);
  expect(few.rows[0]?.slice(4, 6)).toEqual(all.rows[0]?.slice(4, 6));
});
