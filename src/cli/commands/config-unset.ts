import { isSettingName } from "../../config/setting-definitions.ts";
import { requireSettingName } from "../../config/resolve-settings.ts";
import { defineCommand } from "../command.ts";
import { remainingProblemsText, overriddenText, SETTING_ARG } from "../settings-text.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Removes the setting from config.json, so that its default applies again. Also removes a key that is not a setting.",
  args: [SETTING_ARG],
  examples: [
    { run: "svc config unset log_level", description: "Use the default log level again." },
  ],
  async run({ args }, { app, io }) {
    const { file } = app.settings.resolution;
    const { changeSettingsFile } = await import("../../config/settings-writer.ts");
    const { isChanged } = changeSettingsFile(file, { key: args.name, value: undefined });
    if (!isChanged) requireSettingName(args.name);
    const done = isChanged ? `Removed ${args.name} from` : `${args.name} is not in`;
    io.err(safeText(`${done} ${file}.\n`));
    if (isSettingName(args.name)) io.err(overriddenText(args.name, app.settings.resolution));
    io.err(remainingProblemsText(file, app.settings.home));
  },
});
