import { SvcError } from "../../base/errors.ts";
import { requireSettingName } from "../../config/resolve-settings.ts";
import { settingDefinition, type SettingName } from "../../config/setting-definitions.ts";
import { expectedValueText, parseSetting } from "../../config/setting-values.ts";
import { defineCommand } from "../command.ts";
import { remainingProblemsText, overriddenText, SETTING_ARG } from "../settings-text.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Writes the value to config.json. If the file does not exist, svc creates it, readable only by its owner. A path is written as an absolute path. Secrets cannot be set in config.json.",
  args: [SETTING_ARG, { name: "value", required: true, description: "The new value." }],
  examples: [
    {
      run: "svc config set log_level debug",
      description: "Use the log level debug from now on.",
    },
    { run: "svc config set namespace backend", description: "Use this namespace by default." },
  ],
  async run({ args }, { app, io }) {
    const name = requireFileSetting(args.name);
    const { resolution } = app.settings;
    const value = parseSetting(name, args.value, app.settings.home);
    if (value === undefined) {
      throw new SvcError("USAGE", `${name} cannot be "${args.value}".`, {
        hint: `Set it to ${expectedValueText(name)}.`,
      });
    }
    const { changeSettingsFile } = await import("../../config/settings-writer.ts");
    const { damagedFile } = changeSettingsFile(resolution.file, { key: name, value });
    const quarantined =
      damagedFile === undefined ? "" : `The damaged file is kept as ${damagedFile}.\n`;
    io.err(safeText(`${quarantined}Set ${name} to ${String(value)} in ${resolution.file}.\n`));
    io.err(
      overriddenText(name, resolution) + remainingProblemsText(resolution.file, app.settings.home),
    );
  },
});

function requireFileSetting(word: string): SettingName {
  const name = requireSettingName(word);
  const { isAllowedInFile, type, variables } = settingDefinition(name);
  if (isAllowedInFile) return name;
  const save = " or save a token with `svc auth token create --save`";
  throw new SvcError(
    "USAGE",
    type === "secret"
      ? `${name} is a secret and cannot be set in config.json.`
      : `${name} cannot be set in config.json.`,
    { hint: `Set ${variables[0]} in the environment${name === "token" ? save : ""}.` },
  );
}
