import * as v from "valibot";

import { defineTool } from "../tool.ts";

export const indexStatus = defineTool({
  name: "index_status",
  title: "Index status",
  group: "indexing",
  description:
    "Tell which namespaces and sources are indexed, how far an indexing run is, how fresh the index is, and what was left out and why. Use when a search finds less than expected.",
  readOnly: true,
  input: {
    namespace: v.optional(v.pipe(v.string(), v.maxLength(64), v.description("Default: all."))),
    detail: v.optional(
      v.picklist(["summary", "skipped", "health"], "must be summary, skipped or health"),
      "summary",
    ),
  },
  output: {
    properties: { namespaces: { type: "array", items: { type: "object" } } },
    required: ["namespaces"],
  },
  async run({ namespace, detail }, { engine, caller, signal, emit }) {
    const opened = await engine();
    const namespaces = await opened.status({ namespace, detail, caller, signal });
    const structured = { namespaces };
    emit({ text: JSON.stringify(structured) });
    return { structured };
  },
});
