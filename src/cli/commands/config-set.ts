import { SvcError } from "../../base/errors.ts";
import { requireSettingName } from "../../config/resolve-settings.ts";
import { settingDefinition, type SettingName } from "../../config/setting-definitions.ts";
import { expectedValueText, parseSetting } from "../../config/setting-values.ts";
import { defineCommand } from "../command.ts";
import { remainingProblemsText, overriddenText, SETTING_ARG } from "../settings-text.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Writes the value into config.json, which is made if it is not there, readable by its owner alone. A path is written as an absolute one. Secrets do not stand in config.json and are refused.",
  args: [SETTING_ARG, { name: "value", required: true, description: "What it should be." }],
  examples: [
    {
      run: "svc config set log_level debug",
      description: "Logs more in every program from now on.",
    },
    { run: "svc config set namespace backend", description: "Works on this namespace everywhere." },
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
    io.err(safeText(`${quarantined}${name} is ${String(value)} in ${resolution.file}.\n`));
    io.err(
      overriddenText(name, resolution) + remainingProblemsText(resolution.file, app.settings.home),
    );
  },
});

function requireFileSetting(word: string): SettingName {
  const name = requireSettingName(word);
  const { isAllowedInFile, type, variables } = settingDefinition(name);
  if (isAllowedInFile) return name;
  const save = " or keep a token with `svc auth token create --save`";
  throw new SvcError(
    "USAGE",
    type === "secret"
      ? `${name} is a secret and may not stand in config.json.`
      : `${name} cannot stand in config.json.`,
    { hint: `Set ${variables[0]} in the environment${name === "token" ? save : ""}.` },
  );
}
