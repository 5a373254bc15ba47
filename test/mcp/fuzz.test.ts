import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fixtureTool, openSession, serveInMemory } from "../helpers/rpc.ts";

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});

const NAMES = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "notifications/initialized",
  "notifications/progress",
  "prompts/list",
  "server/discover",
  "subscriptions/listen",
  "constructor",
];

const anyId = fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null), fc.boolean());
const anyParams = fc.oneof(
  fc.record({ name: fc.constantFrom("echo", "nothing"), arguments: fc.object() }),
  fc.record({ protocolVersion: fc.oneof(fc.constant("2025-03-26"), fc.jsonValue()) }),
  fc.record({ _meta: fc.record({ progressToken: anyId }), cursor: fc.jsonValue() }),
  fc.record({
    _meta: fc.record(
      {
        "io.modelcontextprotocol/protocolVersion": fc.oneof(
          { weight: 3, arbitrary: fc.constant("2026-07-28") },
          fc.jsonValue(),
        ),
        "io.modelcontextprotocol/clientCapabilities": fc.oneof(fc.constant({}), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
    name: fc.constant("echo"),
    notifications: fc.oneof(fc.constant({ toolsListChanged: true }), fc.jsonValue()),
  }),
  fc.jsonValue(),
);
/** Near-requests: each member valid, wrong or missing. Never an array at the top: batches have their own tests. */
const anyMessage = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, fc.jsonValue()),
        id: anyId,
        method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.jsonValue()),
        params: anyParams,
        result: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue().filter((value) => !Array.isArray(value)) },
);

test("with calls finished and cancelled in any order, each gets one answer, or none if cancelled first", async () => {
  const step = fc.record({
    id: fc.nat({ max: 9 }),
    action: fc.constantFrom("finish", "cancel"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step),
      fc.integer({ min: 1, max: 12 }),
      async (steps, maxInFlight) => {
        const gates = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
        const gate = fixtureTool("gate", async ({ gate: id }) => {
          await gates[Number(id)]?.promise;
          return {};
        });
        const { session, sent } = openSession({ tools: [gate], maxInFlight });
        const calls = gates.map((_gate, id) => {
          const params = { name: "gate", arguments: { gate: id } };
          const line = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
          return Promise.resolve(session.receive(line));
        });
        const cancelled = new Set<number>();
        for (const { id, action } of steps) {
          if (action === "finish") {
            gates[id]?.resolve();
            continue;
          }
          if (!sent.some((reply) => reply.id === id)) cancelled.add(id);
          const params = { requestId: id };
          await session.receive(
            JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }),
          );
        }
        for (const { resolve } of gates) resolve();
        await Promise.all(calls);
        const unanswered = gates.map((_gate, id) => id).filter((id) => !cancelled.has(id));
        expect(sent.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(unanswered);
      },
    ),
    { numRuns: 200 },
  );
});

test("the chunks in which bytes arrive do not matter", async () => {
  const anyLine = fc.oneof(
    anyMessage.map((message) => JSON.stringify(message)),
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", "")),
    fc.constantFrom("", "  ", "\t"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      async (lines, newline, sizes) => {
        const bytes = Buffer.from(lines.join(newline));
        const whole = await repliesTo([bytes]);
        const chunks: Buffer[] = [];
        for (let from = 0; from < bytes.length;) {
          const { value: size = 1 } = sizes.next();
          chunks.push(bytes.subarray(from, from + size));
          from += size;
        }
        expect(await repliesTo(chunks)).toEqual(whole);
      },
    ),
    { numRuns: 150 },
  );
});

/** All replies to the bytes, sorted, because their order is not defined. */
async function repliesTo(chunks: readonly Buffer[]): Promise<string[]> {
  const { write, input, done, received } = serveInMemory({ tools: [echo] });
  for (const chunk of chunks) write(chunk);
  input.end();
  await done;
  return received.map((reply) => JSON.stringify(reply)).toSorted();
}
