import { requireSettingName, withFlags } from "../../config/resolve-settings.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { NAMESPACE_FLAG, settingJson, SETTING_ARG } from "../settings-text.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const NOT_SET = 1;

export const command = defineCommand({
  description:
    "Prints only the value on standard output, or nothing if the setting has none. For a secret it prints `set`.",
  args: [SETTING_ARG],
  flags: { namespace: NAMESPACE_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc config get log_level", description: "Print the log level." }],
  exitCodes: { [NOT_SET]: "The setting has no value." },
  run({ args, flags }, { app, io }) {
    const name = requireSettingName(args.name);
    const { settings, problems } = app.settings.resolution;
    // A script must not get a value that every other command would refuse.
    const [problem] = problems;
    if (problem !== undefined) throw problem;
    for (const setting of withFlags(settings, { namespace: flags.namespace })) {
      if (setting.name !== name) continue;
      if (flags.json) printJson(io, settingJson(setting));
      else if (setting.isSet) io.out(`${safeText(String(setting.value ?? "set"))}\n`);
      if (!setting.isSet) return NOT_SET;
    }
    return undefined;
  },
});
