// The OpenAI chat completions API, which many providers offer; here as opencode uses it.
import { joinedText, listOf, recordOf, textOf, type Json, type WireApi } from "./wire-api.ts";

export const openaiChat: WireApi = {
  isModelCall: (path) => path.endsWith("/chat/completions"),
  offeredTools: ({ tools }) =>
    listOf(tools).map((tool) => ({ name: textOf(recordOf(tool["function"])["name"]) })),
  results({ messages }) {
    return new Map(
      listOf(messages)
        .filter(({ role }) => role === "tool")
        .map(({ tool_call_id: id, content }) => [textOf(id), joinedText(content)]),
    );
  },
  answer(calls, { model, stream }) {
    const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
    const tool_calls = calls.map(({ id, offered, input }, index) => ({
      index,
      id,
      type: "function",
      function: { name: offered.name, arguments: JSON.stringify(input) },
    }));
    const said: Json = {
      role: "assistant",
      ...(calls.length === 0 ? { content: "Done." } : { content: null, tool_calls }),
    };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const base = { id: "chat_1", created: 1, model };
    if (stream !== true) {
      const choices = [{ index: 0, message: said, finish_reason }];
      return JSON.stringify({ ...base, object: "chat.completion", choices, usage });
    }
    const chunk = (delta: Json, reason: string | null): Json => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const chunks = [chunk(said, null), { ...chunk({}, finish_reason), usage }];
    return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
  },
};
