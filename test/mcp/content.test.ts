import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/mcp/options.ts";
import type { ContentItem, ToolResult, ToolContext } from "../../src/tools/tool.ts";
import { FIXTURE_TOOLS } from "../transports/fixtures/tools.ts";
import { fixtureTool, openSession, repeatsStructuredContent, type Wire } from "../helpers/rpc.ts";

/** tools/call on a new session, with the fixture tools by default. */
function call(
  name: unknown,
  args?: unknown,
  more: Partial<ServerOptions> & { meta?: unknown } = {},
): Promise<Wire> {
  const { meta, ...options } = more;
  const { request } = openSession({ tools: FIXTURE_TOOLS, ...options });
  return request("tools/call", { name, arguments: args, _meta: meta, unknown: "ignored" }, 1);
}

/** The reply to a call of a tool with this `run`. */
function answerOf(
  run: (context: ToolContext) => Promise<ToolResult>,
  options: Partial<ServerOptions> = {},
): Promise<Wire> {
  return call(
    "t",
    {},
    { tools: [fixtureTool("t", (_input, context) => run(context))], ...options },
  );
}

function emitting(...items: readonly ContentItem[]): (context: ToolContext) => Promise<ToolResult> {
  return async ({ emit }) => {
    for (const item of items) emit(item);
    return {};
  };
}

describe("T6 content items", () => {
  test("are partial except the last, with their facts in _meta", async () => {
    const { result } = await answerOf(
      emitting({ text: "a", meta: { path: "a.ts" } }, { text: "b" }, { text: "c" }),
    );
    expect(result).toEqual({
      content: [
        { type: "text", text: "a", partial: true, _meta: { path: "a.ts" } },
        { type: "text", text: "b", partial: true },
        { type: "text", text: "c", partial: false, _meta: { "dev.svc/partial": false } },
      ],
    });
  });

  test("a single one is not partial; no items give an empty list", async () => {
    expect((await answerOf(emitting({ text: "a" }))).result).toMatchObject({
      content: [{ partial: false }],
    });
    expect((await answerOf(emitting())).result).toEqual({ content: [] });
  });

  test("carry cache_control, on the last one, exactly when the answer is repeatable", async () => {
    const { result } = await answerOf(async (context) => {
      await emitting({ text: "first" }, { text: "a" })(context);
      return { isRepeatable: true };
    });
    expect(result?.["content"]).toEqual([
      { type: "text", text: "first", partial: true },
      {
        type: "text",
        text: "a",
        partial: false,
        cache_control: { type: "ephemeral" },
        _meta: { "dev.svc/partial": false, "dev.svc/cacheControl": { type: "ephemeral" } },
      },
    ]);
  });

  test("emitted after the answer are dropped", async () => {
    let late: (() => void) | undefined;
    const { result } = await answerOf(async ({ emit }) => {
      emit({ text: "a" });
      late = () => emit({ text: "late" });
      return {};
    });
    late?.();
    expect(result?.["content"]).toHaveLength(1);
  });
});

test("T7 structuredContent comes with a text item of the same JSON, only when the tool returns it", async () => {
  const { result = {} } = await call("status");
  expect(result["structuredContent"]).toEqual({ files: 3 });
  expect(repeatsStructuredContent(result)).toBe(true);
  expect((await call("echo")).result).not.toHaveProperty("structuredContent");
});
