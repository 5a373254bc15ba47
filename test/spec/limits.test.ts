// Conditions that no client can cause: a tool that never ends, a tool with a fault. The
// session is the one that both transports use, with a manual clock.
import { afterEach, beforeEach, expect, vi } from "vitest";

import { silentLogger } from "../../src/base/log.ts";
import { Session } from "../../src/mcp/session.ts";
import { localOwner } from "../../src/sources/principal.ts";
import { defineTool, type ToolResult, type ToolContext } from "../../src/tools/tool.ts";
import { verifies } from "./verifies.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "probe", arguments: {} },
});

/** Calls a tool that does `run`; the replies appear in the list as they are sent. */
function repliesOf(run: (context: ToolContext) => Promise<ToolResult>): readonly unknown[] {
  const probe = defineTool({
    name: "probe",
    title: "Probe",
    group: "search",
    description: "Does what the test says.",
    readOnly: true,
    input: {},
    run: (_input, context) => run(context),
  });
  const replies: unknown[] = [];
  const session = new Session(
    {
      tools: [probe],
      version: "0.8.0",
      instructions: "",
      engine: () => Promise.reject(new Error("the probe needs no engine")),
      authorize: () => Promise.resolve(localOwner()),
      logger: silentLogger,
    },
    (line) => void replies.push(JSON.parse(line)),
  );
  void session.receive(CALL);
  return replies;
}

const never = (): Promise<ToolResult> => new Promise(() => {});

verifies("8/request-timeout", "a call that does not end is answered after 30 seconds", async () => {
  const replies = repliesOf(never);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(replies).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(replies).toMatchObject([{ id: 1, error: { data: { error_code: "TIMEOUT" } } }]);
});

verifies("8/streaming-timeout", "sending items does not lengthen the 30 seconds", async () => {
  const replies = repliesOf(({ emit }) => {
    setInterval(() => emit({ text: "one more" }), 1000);
    return never();
  });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(replies).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(replies).toHaveLength(1);
});

verifies("7/internal-error", "a fault in a tool is an internal error without details", async () => {
  const replies = repliesOf(() => Promise.reject(new Error("/home/ada/secret.txt is a directory")));
  await vi.advanceTimersByTimeAsync(0);
  expect(replies).toMatchObject([
    {
      error: { code: -32_603, message: "Internal error", data: { error_code: "INTERNAL_ERROR" } },
    },
  ]);
  expect(JSON.stringify(replies)).not.toContain("secret");
});
