import { SvcError } from "../../base/errors.ts";
import { monitorRecord } from "../../tools/monitoring/change-record.ts";
import { questionOf } from "../../tools/monitoring/set-monitor.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Adds a monitor: a saved query that svc compares with every later change. Requires one of --query, --pattern, --symbol and --path. `svc changes` and `svc watch` show the matches.",
  args: [{ name: "name", description: "Name of the monitor (default: a generated name)." }],
  flags: {
    query: {
      type: "string",
      placeholder: "TEXT",
      description: "Match new or changed passages that answer this query well.",
    },
    pattern: {
      type: "string",
      placeholder: "REGEX",
      description: "Match added or changed lines (RE2 syntax).",
    },
    symbol: {
      type: "string",
      placeholder: "NAME",
      description: "Match changes to the definition with this name and to its users.",
    },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Match changes to files whose path matches GLOB.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Watch this namespace." },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc monitors add todos --pattern 'TODO|FIXME'",
      description: "Report new TODO and FIXME lines.",
    },
    {
      run: "svc monitors add --symbol parseConfig",
      description: "Report changes to a definition, and its new users.",
    },
  ],
  async run({ args: { name }, flags }, { app, io, signal }) {
    const { query, pattern, symbol, path, namespace, json } = flags;
    const question = questionOf({ query, pattern, symbol, path });
    if (question === undefined) {
      throw new SvcError("USAGE", "A monitor needs something to match.", {
        hint: "Add --query, --pattern, --symbol or --path.",
      });
    }
    const engine = await app.engine({ namespace });
    const request = {
      action: "create",
      name,
      question,
      namespace,
      principal: app.owner,
      signal,
    } as const;
    const { monitors, isWatching } = await engine.monitors(request);
    for (const monitor of monitors) {
      if (json) printJson(io, { ...monitorRecord(monitor), watching: isWatching });
      else {
        const note = isWatching ? "" : " It starts when the current indexing run has ended.";
        io.err(`Added monitor "${safeLine(monitor.name)}".${note}\n`);
      }
    }
  },
});
