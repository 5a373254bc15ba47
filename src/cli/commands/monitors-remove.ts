import { monitorRecord } from "../../tools/monitoring/change-record.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";

export const command = defineCommand({
  description: "Removes one of your monitors and its matches.",
  args: [{ name: "name", required: true, description: "Name of the monitor." }],
  flags: {
    namespace: {
      type: "string",
      placeholder: "NS",
      description: "Remove a monitor of this namespace.",
    },
    json: JSON_FLAG,
  },
  examples: [{ run: "svc monitors remove todos", description: "Remove the monitor todos." }],
  async run({ args: { name }, flags: { namespace, json } }, { app, io, signal }) {
    const engine = await app.engine({ namespace });
    const request = { action: "delete", name, namespace, principal: app.owner, signal } as const;
    const { monitors } = await engine.monitors(request);
    for (const monitor of monitors) {
      if (json) printJson(io, monitorRecord(monitor));
      else io.err(`Removed monitor "${safeLine(monitor.name)}".\n`);
    }
  },
});
