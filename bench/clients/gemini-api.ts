// The generateContent API, as Gemini CLI uses it.
import { events, listOf, recordOf, textOf, type Json, type WireApi } from "./wire-api.ts";

export const geminiApi: WireApi = {
  isModelCall: (path) => /:(?:streamG|g)enerateContent/.test(path),
  offeredTools: ({ tools }) =>
    listOf(tools)
      .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
      .map(({ name }) => ({ name: textOf(name) })),
  results({ contents }) {
    const responses = listOf(contents)
      .flatMap(({ parts }) => listOf(parts))
      .map(({ functionResponse }) => recordOf(functionResponse))
      .filter(({ id }) => id !== undefined);
    return new Map(responses.map(({ id, response }) => [textOf(id), modelText(response)]));
  },
  answer(calls, _body) {
    const parts: readonly Json[] =
      calls.length === 0
        ? [{ text: "Done." }]
        : calls.map(({ id, offered, input }) => ({
            functionCall: { id, name: offered.name, args: input },
          }));
    const candidate = { content: { role: "model", parts }, finishReason: "STOP", index: 0 };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    return events([{ candidates: [candidate], usageMetadata }], false);
  },
};

/** Its only text if there is one, otherwise the whole result: the model receives the JSON. */
function modelText(response: unknown): string {
  const { output, error, ...rest } = recordOf(response);
  const isAlone = Object.keys(rest).length === 0;
  const only = output ?? error;
  return isAlone && typeof only === "string" ? only : JSON.stringify(response);
}
