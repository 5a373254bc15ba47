// Resolves each setting: from a flag, else the environment, else config.json, else its default.
import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { nonBlankValue } from "./environment.ts";
import type { Environment } from "./paths.ts";
import {
  isSettingName,
  SETTING_NAMES,
  settingDefinition,
  type SettingName,
} from "./setting-definitions.ts";
import {
  checkSetting,
  expectedValueText,
  parseSetting,
  invalidValueText,
  type SettingValue,
} from "./setting-values.ts";
import type { SettingsFile } from "./settings-file.ts";

/** A setting with its value and origin. */
export interface ResolvedSetting {
  readonly name: SettingName;
  /** Undefined if the setting is not set and has no default; always undefined for a secret. */
  readonly value: SettingValue | undefined;
  /** Whether the setting has a value, including the default. For a secret, nothing else is ever shown. */
  readonly isSet: boolean;
  readonly origin: "flag" | "environment" | "file" | "default";
  /** `--flag`, the variable or the path of config.json; undefined for a default. */
  readonly source: string | undefined;
}

/** All settings, and the problems found in them. */
export interface ResolvedSettings {
  /** One entry per setting, in the order of SETTINGS. */
  readonly settings: readonly ResolvedSetting[];
  /** Path of config.json, whether or not the file exists. */
  readonly file: string;
  /** Problems of the environment and the file. A setting with an invalid value takes its next valid one. */
  readonly problems: readonly SvcError[];
}

interface ResolveOptions {
  readonly env: Environment;
  readonly file: SettingsFile;
  /** The home directory, for `~`. */
  readonly home: string | undefined;
  /** Defaults that depend on the machine; they override those of SETTINGS. */
  readonly defaults?: Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;
}

/** Resolves all settings but flags. Reports problems in the result; never throws. */
export function resolveSettings({
  env,
  file,
  home,
  defaults = {},
}: ResolveOptions): ResolvedSettings {
  const problems = fileProblems(file, home);
  const settings = SETTING_NAMES.map((name) => {
    const given = variableOf(name, env);
    if (given !== undefined) {
      const value = parseSetting(name, given.text, home);
      if (value !== undefined) return resolved(name, value, "environment", given.variable);
      problems.push(badVariable(name, given.variable, given.text));
    }
    const { isAllowedInFile, default: fallback } = settingDefinition(name);
    const value = isAllowedInFile ? checkSetting(name, file.entries.get(name), home) : undefined;
    if (value !== undefined) return resolved(name, value, "file", file.path);
    return resolved(name, defaults[name] ?? fallback, "default");
  });
  return { settings, file: file.path, problems };
}

/** Returns the settings with a command's flags applied. Throws USAGE for an invalid value. */
export function withFlags(
  settings: readonly ResolvedSetting[],
  flags: Readonly<Record<string, string | undefined>>,
): ResolvedSetting[] {
  return settings.map((setting) => {
    const { flag } = settingDefinition(setting.name);
    const text = flag === undefined ? undefined : flags[flag];
    if (text === undefined) return setting;
    const value = parseSetting(setting.name, text, undefined);
    if (value !== undefined) return resolved(setting.name, value, "flag", `--${flag}`);
    throw new SvcError("USAGE", `--${flag} is ${invalidValueText(setting.name, `"${text}"`)}.`, {
      hint: `Set it to ${expectedValueText(setting.name)}.`,
    });
  });
}

/** Returns the name if it names a setting. Otherwise throws USAGE and suggests the closest name. */
export function requireSettingName(name: string): SettingName {
  if (isSettingName(name)) return name;
  const near = nearestSetting(name);
  throw new SvcError("USAGE", `There is no setting "${name}".`, {
    hint:
      near === undefined ? "Run `svc config list` to list all settings." : `Did you mean ${near}?`,
  });
}

function resolved(
  name: SettingName,
  value: SettingValue | undefined,
  origin: ResolvedSetting["origin"],
  source?: string,
): ResolvedSetting {
  const isSecret = settingDefinition(name).type === "secret";
  return { name, value: isSecret ? undefined : value, isSet: value !== undefined, origin, source };
}

function variableOf(
  name: SettingName,
  env: Environment,
): { readonly variable: string; readonly text: string } | undefined {
  if (name === "color") return colorVariable(env);
  for (const variable of settingDefinition(name).variables) {
    const text = nonBlankValue(env[variable]);
    if (text !== undefined) return { variable, text };
  }
  return undefined;
}

/**
 * A user sets FORCE_COLOR (force-color.org) by hand, so it overrides NO_COLOR (no-color.org), which overrides
 * the older CLICOLOR_FORCE and CLICOLOR (bixense.com/clicolors).
 */
function colorVariable(
  env: Environment,
): { readonly variable: string; readonly text: string } | undefined {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") {
    return { variable: "FORCE_COLOR", text: /^(0|false)$/i.test(forced) ? "never" : "always" };
  }
  if ((env["NO_COLOR"] ?? "") !== "") return { variable: "NO_COLOR", text: "never" };
  const older = env["CLICOLOR_FORCE"] ?? "";
  if (older !== "" && older !== "0") return { variable: "CLICOLOR_FORCE", text: "always" };
  return env["CLICOLOR"] === "0" ? { variable: "CLICOLOR", text: "never" } : undefined;
}

function badVariable(name: SettingName, variable: string, text: string): SvcError {
  return new SvcError(
    "INVALID_SETTINGS",
    `${variable} is ${invalidValueText(name, `"${text}"`)}.`,
    {
      hint: `Set it to ${expectedValueText(name)}, or leave it unset.`,
    },
  );
}

/** Returns every problem of the file that keeps commands from running. */
export function fileProblems(file: SettingsFile, home: string | undefined): SvcError[] {
  if (file.problem !== undefined) return [file.problem];
  return [...file.entries].flatMap(([key, value]) => {
    const problem = entryProblem(key, value, home);
    if (problem === undefined) return [];
    return [
      new SvcError("INVALID_SETTINGS", `${file.path}: ${problem.detail}`, { hint: problem.hint }),
    ];
  });
}

function entryProblem(
  key: string,
  value: unknown,
  home: string | undefined,
): { readonly detail: string; readonly hint: string } | undefined {
  const removal = `remove it with \`svc config unset ${shellWord(key)}\``;
  if (!isSettingName(key)) {
    const near = nearestSetting(key);
    const guess = near === undefined ? "" : `Did you mean ${near}? `;
    return { detail: `there is no setting "${key}".`, hint: `${guess}Rename it, or ${removal}.` };
  }
  const { isAllowedInFile, type, variables } = settingDefinition(key);
  if (!isAllowedInFile) {
    const reason =
      type === "secret" ? "is a secret and must not be in a file" : "cannot be set there";
    return { detail: `${key} ${reason}.`, hint: `Set ${variables[0]} instead, and ${removal}.` };
  }
  if (checkSetting(key, value, home) !== undefined) return undefined;
  const text = JSON.stringify(value);
  const shown = invalidValueText(key, text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return {
    detail: `${key} is ${shown}.`,
    hint: `Set it to ${expectedValueText(key)} with \`svc config set ${key} VALUE\`, or ${removal}.`,
  };
}

function nearestSetting(name: string): SettingName | undefined {
  // Accept the spelling of the variable or the flag.
  const plain = name.replace(/^-+|^SERVICE_/gi, "").replaceAll("-", "_");
  return SETTING_NAMES.find((known) => known === closestWord(plain, SETTING_NAMES));
}

function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
