// The Anthropic Messages API, as Claude Code uses it.
import {
  events,
  joinedText,
  listOf,
  recordOf,
  textOf,
  type Json,
  type WireApi,
} from "./wire-api.ts";

const USAGE = { input_tokens: 10, output_tokens: 10 };

export const anthropic: WireApi = {
  isModelCall: (path) => path.startsWith("/v1/messages") && !path.includes("count_tokens"),
  offeredTools: ({ tools }) => listOf(tools).map(({ name }) => ({ name: textOf(name) })),
  results({ messages }) {
    const blocks = listOf(messages).flatMap(({ content }) => listOf(content));
    return new Map(
      blocks
        .filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id: id, content }) => [
          textOf(id),
          // The client itself adds this text after the last result of a turn.
          joinedText(content).replaceAll(/\s*<system-reminder>.*?<\/system-reminder>/gs, ""),
        ]),
    );
  },
  answer(calls, { model, stream }) {
    const blocks: readonly Json[] =
      calls.length === 0
        ? [{ type: "text", text: "Done." }]
        : calls.map(({ id, offered, input }) => ({
            type: "tool_use",
            id,
            name: offered.name,
            input,
          }));
    const stop_reason = calls.length === 0 ? "end_turn" : "tool_use";
    const message = { id: "msg_1", type: "message", role: "assistant", model, usage: USAGE };
    if (stream !== true) {
      return JSON.stringify({ ...message, content: blocks, stop_reason, stop_sequence: null });
    }
    return events(
      [
        {
          type: "message_start",
          message: { ...message, content: [], stop_reason: null, stop_sequence: null },
        },
        ...blocks.flatMap((block, index) => blockEvents(block, index)),
        { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
        { type: "message_stop" },
      ],
      true,
    );
  },
};

function blockEvents(block: Json, index: number): readonly Json[] {
  const isText = block["type"] === "text";
  const start = isText ? { type: "text", text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block["text"] }
    : { type: "input_json_delta", partial_json: JSON.stringify(recordOf(block["input"])) };
  return [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}
