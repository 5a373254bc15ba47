import * as v from "valibot";

import { boundedText } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { statusText } from "./status-text.ts";

export const indexStatus = defineTool({
  name: "index_status",
  title: "Index status",
  group: "indexing",
  description:
    "Tell what is indexed, if complete and fresh, and which files were left out and why.",
  readOnly: true,
  input: {
    namespace: v.optional(boundedText(64)),
    detail: v.optional(
      v.picklist(["summary", "skipped", "health"], "must be summary, skipped or health"),
      "summary",
    ),
  },
  hasOutput: true,
  async run({ namespace, detail }, { engine, principal, signal, emit }) {
    const opened = await engine();
    const namespaces = await opened.status({
      namespace,
      detail,
      isWorkspaceFirst: true,
      principal,
      signal,
    });
    emit({ text: statusText(namespaces) });
    return { structured: { namespaces } };
  },
});
