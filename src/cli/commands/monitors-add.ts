import { SvcError } from "../../base/errors.ts";
import { monitorRecord } from "../../tools/monitoring/change-record.ts";
import { questionOf } from "../../tools/monitoring/set-monitor.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Makes a standing question: what changes from now on is looked through for it. Give one of --query, --pattern, --symbol and --path. What it finds stands in `svc changes` and `svc watch`.",
  args: [{ name: "name", description: "What it is called; it gets a name by default." }],
  flags: {
    query: {
      type: "string",
      placeholder: "TEXT",
      description: "New or changed passages that answer this well.",
    },
    pattern: {
      type: "string",
      placeholder: "REGEX",
      description: "Lines that are added or altered and match this (RE2).",
    },
    symbol: {
      type: "string",
      placeholder: "NAME",
      description: "Changes of the definition of this name, and of who uses it.",
    },
    path: { type: "string", placeholder: "GLOB", description: "Changes of files whose path fits." },
    namespace: { type: "string", placeholder: "NS", description: "Watch this namespace." },
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc monitors add todos --pattern 'TODO|FIXME'", description: "Hears of new ones." },
    { run: "svc monitors add --symbol parseConfig", description: "Hears who begins to use it." },
  ],
  async run({ args: { name }, flags }, { app, io, signal }) {
    const { query, pattern, symbol, path, namespace, json } = flags;
    const question = questionOf({ query, pattern, symbol, path });
    if (question === undefined) {
      throw new SvcError("USAGE", "A monitor needs a question.", {
        hint: "Give --query, --pattern, --symbol or --path.",
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
        const note = isWatching ? "" : " It begins when the indexing run under way has ended.";
        io.err(`Monitor "${safeLine(monitor.name)}" watches.${note}\n`);
      }
    }
  },
});
