import { monitorRecord } from "../../tools/monitoring/change-record.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { formatTable } from "../print/table.ts";

export const command = defineCommand({
  description:
    "Lists your monitors: name, kind, query and creation time (UTC). A monitor of a credential is visible only to that credential. `svc changes` and `svc watch` show the matches.",
  flags: {
    namespace: {
      type: "string",
      placeholder: "NS",
      description: "List monitors of this namespace.",
    },
    json: JSON_FLAG,
  },
  examples: [{ run: "svc monitors list", description: "List the monitors of this project." }],
  async run({ flags: { namespace, json } }, { app, io, signal }) {
    const engine = await app.engine({ namespace });
    const request = { action: "list", namespace, principal: app.owner, signal } as const;
    const { monitors, namespace: name } = await engine.monitors(request);
    if (json) {
      printJson(io, { namespace: name, monitors: monitors.map(monitorRecord) });
      return;
    }
    if (monitors.length === 0) io.err(`There are no monitors of "${name}".\n`);
    io.out(
      formatTable({
        columns: [
          { title: "NAME" },
          { title: "KIND" },
          { title: "QUERY", flexible: true },
          { title: "CREATED" },
        ],
        rows: monitors.map((one) => [
          safeLine(one.name),
          one.kind,
          safeLine(one.question),
          `${one.createdAt.slice(0, 16).replace("T", " ")}Z`,
        ]),
        width: io.isTerminal ? io.columns : undefined,
        style: createStyle(io.color),
      }),
    );
  },
});
