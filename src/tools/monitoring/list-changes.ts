import * as v from "valibot";

import { boundedText, namespace, pathGlob, wholeNumber } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { changesRecord } from "./change-record.ts";
import { changesText } from "./change-text.ts";

export const listChanges = defineTool({
  name: "list_changes",
  title: "List changes",
  group: "monitoring",
  description:
    "Tell which files and symbols changed, their users, and monitor hits; wait_ms waits for the next.",
  readOnly: true,
  input: {
    since: v.optional(
      v.pipe(boundedText(1000), v.description("next_cursor, time, generation or commit.")),
    ),
    path: pathGlob,
    monitor: v.optional(boundedText(64)),
    wait_ms: v.optional(wholeNumber(0, 25_000)),
    limit: v.optional(wholeNumber(1, 200), 50),
    namespace,
  },
  aliases: { cursor: "since" },
  hasOutput: true,
  async run({ wait_ms, ...rest }, { engine, principal, signal, emit }) {
    const opened = await engine();
    const result = await opened.changes({ ...rest, waitMs: wait_ms ?? 0, principal, signal });
    emit({ text: changesText(result) });
    return { structured: changesRecord(result) };
  },
});
