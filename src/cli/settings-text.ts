// The texts of `svc config` for settings, their origins and their problems.
import type { SvcError } from "../base/errors.ts";
import {
  fileProblems,
  type ResolvedSettings,
  type ResolvedSetting,
} from "../config/resolve-settings.ts";
import {
  SETTING_NAMES,
  settingDefinition,
  type SettingName,
} from "../config/setting-definitions.ts";
import { readSettingsFile } from "../config/settings-file.ts";
import type { StringFlag } from "./flag-definition.ts";
import { safeText } from "./print/safe-text.ts";

export const SETTING_ARG = {
  name: "name",
  required: true,
  suggests: SETTING_NAMES,
  description: "Name of a setting (see `svc config list`).",
} as const;

export const NAMESPACE_FLAG = {
  type: "string",
  placeholder: "NS",
  description: "Show settings as a command with this flag uses them.",
} as const satisfies StringFlag;

/** The JSON of a setting. `source` is the flag, the variable or the path; null for a default. */
export function settingJson({ name, value, isSet, origin, source }: ResolvedSetting) {
  return { name, value: value ?? null, set: isSet, origin, source: source ?? null };
}

/** The value, or in brackets what applies without one. */
export function shownValue({ name, value, isSet }: ResolvedSetting): string {
  if (value !== undefined) return String(value);
  const { type, unsetText } = settingDefinition(name);
  if (type === "secret" && isSet) return "(set)";
  return `(not set${unsetText === undefined ? "" : `: ${unsetText}`})`;
}

export function shownOrigin({ origin, source }: ResolvedSetting): string {
  return source ?? origin;
}

/** One line for each problem, with its hint; empty if there are none. */
export function problemsText(problems: readonly SvcError[]): string {
  return problems.map(({ detail }) => `svc: ${safeText(detail)}\n`).join("");
}

/** A warning if an environment variable overrides the written value; otherwise empty. */
export function overriddenText(name: SettingName, { settings }: ResolvedSettings): string {
  const setting = settings.find((one) => one.name === name);
  if (setting?.origin !== "environment") return "";
  return `${setting.source} is set in the environment and overrides the file.\n`;
}

/** The remaining problems of the file after a change. */
export function remainingProblemsText(path: string, home: string): string {
  return problemsText(fileProblems(readSettingsFile(path), home));
}
