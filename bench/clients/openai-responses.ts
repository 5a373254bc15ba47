// The OpenAI Responses API, as Codex uses it.
import {
  events,
  joinedText,
  listOf,
  textOf,
  type Json,
  type OfferedTool,
  type WireApi,
} from "./wire-api.ts";

export const openaiResponses: WireApi = {
  isModelCall: (path) => path.endsWith("/responses"),
  offeredTools: ({ tools }) => listOf(tools).flatMap(toolsIn),
  results({ input }) {
    return new Map(
      listOf(input)
        .filter(({ type }) => type === "function_call_output")
        .map(({ call_id: id, output }) => [textOf(id), joinedText(output)]),
    );
  },
  answer(calls) {
    const items: readonly Json[] =
      calls.length === 0
        ? [
            {
              type: "message",
              role: "assistant",
              id: "msg_1",
              content: [{ type: "output_text", text: "Done.", annotations: [] }],
            },
          ]
        : calls.map(({ id, offered, input }) => ({
            type: "function_call",
            id: `fc_${id}`,
            call_id: id,
            name: offered.name,
            ...(offered.namespace === undefined ? {} : { namespace: offered.namespace }),
            arguments: JSON.stringify(input),
          }));
    const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    };
    return events(
      [
        { type: "response.created", response },
        ...items.map((item, output_index) => ({
          type: "response.output_item.done",
          output_index,
          item,
        })),
        {
          type: "response.completed",
          response: { ...response, status: "completed", output: items, usage },
        },
      ],
      true,
    );
  },
};

/** Tools of an MCP server may come in a namespace. */
function toolsIn({ type, name, tools }: Json): readonly OfferedTool[] {
  if (type !== "namespace") return [{ name: textOf(name) }];
  return listOf(tools).map((tool) => ({ name: textOf(tool["name"]), namespace: textOf(name) }));
}
