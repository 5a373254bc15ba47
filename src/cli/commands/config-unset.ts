import { isSettingName } from "../../config/setting-definitions.ts";
import { requireSettingName } from "../../config/resolve-settings.ts";
import { defineCommand } from "../command.ts";
import { remainingProblemsText, overriddenText, SETTING_ARG } from "../settings-text.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Takes the setting out of config.json, so that its default holds again. Also takes out a key that is no setting.",
  args: [SETTING_ARG],
  examples: [{ run: "svc config unset log_level", description: "Back to the default." }],
  async run({ args }, { app, io }) {
    const { file } = app.settings.resolution;
    const { changeSettingsFile } = await import("../../config/settings-writer.ts");
    const { isChanged } = changeSettingsFile(file, { key: args.name, value: undefined });
    if (!isChanged) requireSettingName(args.name);
    const done = isChanged ? "no longer stands in" : "does not stand in";
    io.err(safeText(`${args.name} ${done} ${file}.\n`));
    if (isSettingName(args.name)) io.err(overriddenText(args.name, app.settings.resolution));
    io.err(remainingProblemsText(file, app.settings.home));
  },
});
