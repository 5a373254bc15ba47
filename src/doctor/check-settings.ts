import type { Check } from "./check-context.ts";
import { createReporter } from "./finding.ts";

const CHECK = "settings";
const { ok, failed } = createReporter(CHECK);

/** config.json can be read, and it and the environment have only known settings with valid values. */
export const checkSettings: Check = {
  name: CHECK,
  run({ settings: { resolution } }) {
    const { problems, settings, file } = resolution;
    if (problems.length > 0) {
      return problems.map(({ message, hint }) => failed(message, hint ?? "Run `svc config list`."));
    }
    const set = settings.filter(({ origin }) => origin !== "default").length;
    return [ok(`${set} set in the environment and ${file}`)];
  },
};
