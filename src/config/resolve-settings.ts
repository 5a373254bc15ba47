// Where each setting comes from: a flag, else the environment, else config.json, else its default.
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
  type SettingValue,
} from "./setting-values.ts";
import type { SettingsFile } from "./settings-file.ts";

export interface ResolvedSetting {
  readonly name: SettingName;
  /** Undefined where nothing sets it and it has no default, and always for a secret. */
  readonly value: SettingValue | undefined;
  /** Whether there is a value, the default included; all that is ever said of a secret. */
  readonly isSet: boolean;
  readonly origin: "flag" | "environment" | "file" | "default";
  /** `--flag`, the variable or the path of config.json; undefined for a default. */
  readonly source: string | undefined;
}

export interface ResolvedSettings {
  /** One for each setting, in the order of the table. */
  readonly settings: readonly ResolvedSetting[];
  /** Path of config.json, also where there is none. */
  readonly file: string;
  /** What is wrong with the environment and the file; a setting with a problem has its next value. */
  readonly problems: readonly SvcError[];
}

interface ResolveOptions {
  readonly env: Environment;
  readonly file: SettingsFile;
  /** The home directory, for `~`. */
  readonly home: string | undefined;
  /** Defaults that the machine decides, in place of those of the table. */
  readonly defaults?: Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;
}

/** Never throws. */
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

/** The settings as they are for a command with these flags. Throws USAGE for a value that is none. */
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
    throw new SvcError("USAGE", `--${flag} is "${text}".`, {
      hint: `Set it to ${expectedValueText(setting.name)}.`,
    });
  });
}

/** Throws USAGE, with the nearest name, for a name that no setting has. */
export function requireSettingName(name: string): SettingName {
  if (isSettingName(name)) return name;
  const near = nearestSetting(name);
  throw new SvcError("USAGE", `There is no setting "${name}".`, {
    hint: near === undefined ? "`svc config list` shows them all." : `Did you mean ${near}?`,
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
 * FORCE_COLOR (force-color.org) is asked for by hand and outranks NO_COLOR (no-color.org), which outranks
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
  return new SvcError("INVALID_SETTINGS", `${variable} is "${text}".`, {
    hint: `Set it to ${expectedValueText(name)}, or leave it unset.`,
  });
}

/** Everything in the file that no command would run with. */
export function fileProblems(file: SettingsFile, home: string | undefined): SvcError[] {
  if (file.problem !== undefined) return [file.problem];
  return [...file.entries].flatMap(([key, value]) => {
    const problem = entryProblem(key, value, home);
    if (problem === undefined) return [];
    return [
      new SvcError("INVALID_SETTINGS", `${file.path}: ${problem.what}`, { hint: problem.hint }),
    ];
  });
}

function entryProblem(
  key: string,
  value: unknown,
  home: string | undefined,
): { readonly what: string; readonly hint: string } | undefined {
  const removal = `remove it with \`svc config unset ${shellWord(key)}\``;
  if (!isSettingName(key)) {
    const near = nearestSetting(key);
    const guess = near === undefined ? "" : `Did you mean ${near}? `;
    return { what: `there is no setting "${key}".`, hint: `${guess}Rename it, or ${removal}.` };
  }
  const { isAllowedInFile, type, variables } = settingDefinition(key);
  if (!isAllowedInFile) {
    const what =
      type === "secret" ? "is a secret and may not stand in a file" : "cannot be set there";
    return { what: `${key} ${what}.`, hint: `Set ${variables[0]} instead, and ${removal}.` };
  }
  if (checkSetting(key, value, home) !== undefined) return undefined;
  const shown = JSON.stringify(value);
  return {
    what: `${key} is ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}.`,
    hint: `Set it to ${expectedValueText(key)} with \`svc config set ${key} VALUE\`, or ${removal}.`,
  };
}

function nearestSetting(name: string): SettingName | undefined {
  // Written as the variable or as the flag is: the name is meant.
  const plain = name.replace(/^-+|^SERVICE_/gi, "").replaceAll("-", "_");
  return SETTING_NAMES.find((known) => known === closestWord(plain, SETTING_NAMES));
}

function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
