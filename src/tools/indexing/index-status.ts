import * as v from "valibot";

import { boundedText } from "../arguments.ts";
import { defineTool } from "../tool.ts";

export const indexStatus = defineTool({
  name: "index_status",
  title: "Index status",
  group: "indexing",
  description: "Tell what is indexed, how far and how fresh it is, and what was left out and why.",
  readOnly: true,
  input: {
    namespace: v.optional(v.pipe(boundedText(64), v.description("Default: all."))),
    detail: v.optional(
      v.picklist(["summary", "skipped", "health"], "must be summary, skipped or health"),
      "summary",
    ),
  },
  hasOutput: true,
  async run({ namespace, detail }, { engine, caller, signal, emit }) {
    const opened = await engine();
    const namespaces = await opened.status({ namespace, detail, caller, signal });
    const structured = { namespaces };
    emit({ text: JSON.stringify(structured) });
    return { structured };
  },
});
