import { requireSettingName, withFlags } from "../../config/resolve-settings.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { NAMESPACE_FLAG, settingJson, SETTING_ARG } from "../settings-text.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const NOT_SET = 1;

export const command = defineCommand({
  description:
    "Prints the value alone on standard output, and nothing where the setting has none. Of a secret it prints only `set`.",
  args: [SETTING_ARG],
  flags: { namespace: NAMESPACE_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc config get log_level", description: "What the setting is now." }],
  exitCodes: { [NOT_SET]: "The setting has no value." },
  run({ args, flags }, { app, io }) {
    const name = requireSettingName(args.name);
    const { settings, problems } = app.settings.resolution;
    // A script must not take for the value what no other command would run with.
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
