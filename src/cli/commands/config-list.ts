import { withFlags } from "../../config/resolve-settings.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import {
  NAMESPACE_FLAG,
  problemsText,
  settingJson,
  shownOrigin,
  shownValue,
} from "../settings-text.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { formatTable } from "../print/table.ts";

const PROBLEM = 2;

export const command = defineCommand({
  description:
    "Shows every setting with its value; of a secret only whether it is set. A flag outranks the environment, the environment outranks config.json, and that outranks the default. What is wrong with config.json is told on standard error, with exit code 2.",
  flags: {
    origin: {
      type: "boolean",
      description:
        "Show where each value comes from: a flag, a variable, the file, or the default.",
    },
    namespace: NAMESPACE_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc config list --origin", description: "Which file or variable says what." },
    {
      run: "svc config list --json",
      description: "All of it, for a program: name, value, set, origin and source.",
    },
  ],
  run({ flags }, { app, io }) {
    const { settings, problems } = app.settings.resolution;
    const shown = withFlags(settings, { namespace: flags.namespace });
    if (flags.json) {
      printJson(io, shown.map(settingJson));
    } else {
      const columns = [{ title: "SETTING" }, { title: "VALUE" }];
      io.out(
        formatTable({
          columns: flags.origin ? [...columns, { title: "ORIGIN" }] : columns,
          rows: shown.map((setting) =>
            [
              setting.name,
              shownValue(setting),
              ...(flags.origin ? [shownOrigin(setting)] : []),
            ].map(safeText),
          ),
          style: createStyle(io.color),
        }),
      );
    }
    io.err(problemsText(problems));
    return problems.length === 0 ? undefined : PROBLEM;
  },
});
