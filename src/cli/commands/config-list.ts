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
    "Lists every setting with its value, or for a secret only whether it is set. A flag overrides the environment, the environment overrides config.json, and config.json overrides the default. Problems of config.json are reported on standard error, with exit code 2.",
  flags: {
    origin: {
      type: "boolean",
      description:
        "Also show where each value comes from: a flag, a variable, the file, or the default.",
    },
    namespace: NAMESPACE_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc config list --origin",
      description: "Show which file or variable sets each value.",
    },
    {
      run: "svc config list --json",
      description: "Print name, value, set, origin and source of each setting as JSON.",
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
