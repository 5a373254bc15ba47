// What is a value of a setting, as text (a flag, the environment, `svc config set`) and in config.json.
import { isAbsolute, resolve } from "node:path";

import { expandHome } from "./paths.ts";
import {
  settingDefinition,
  type SettingDefinition,
  type SettingName,
} from "./setting-definitions.ts";

export type SettingValue = boolean | number | string;

/** The home directory stands for `~`; undefined where the account has none. */
type Home = string | undefined;

/** The value that a text stands for, a path made absolute; undefined where it is none. */
export function parseSetting(
  name: SettingName,
  text: string,
  home: Home,
): SettingValue | undefined {
  // Blanks may be part of a passphrase.
  const exact = name === "passphrase" ? text : text.trim();
  return SETTING_TYPES[settingDefinition(name).type].parse(exact, { name, home });
}

/** The same for a value of config.json, which must have its type and be written out. */
export function checkSetting(
  name: SettingName,
  value: unknown,
  home: Home,
): SettingValue | undefined {
  const { type } = settingDefinition(name);
  if (typeof value === "boolean") return type === "switch" ? value : undefined;
  if (typeof value === "number") {
    return type === "integer" ? parseSetting(name, String(value), home) : undefined;
  }
  if (typeof value !== "string" || type === "switch" || type === "integer") return undefined;
  // Relative to which folder nobody could say: the program runs in many.
  const isPlaced = type !== "path" || isAbsolute(expandHome(value, home));
  return isPlaced ? parseSetting(name, value, home) : undefined;
}

/** What the setting takes, in words that follow "Set it to". */
export function expectedValueText(name: SettingName): string {
  const { type, choices, min, max } = settingDefinition(name);
  const range = type === "integer" ? ` from ${min} to ${max}` : "";
  return choices?.join(", ") ?? `${SETTING_TYPES[type].description}${range}`;
}

interface SettingType {
  /** Undefined for a text that is no value. */
  readonly parse: (
    text: string,
    of: { readonly name: SettingName; readonly home: Home },
  ) => SettingValue | undefined;
  /** In words. */
  readonly description: string;
}

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** As requireNamespaceName of sources/namespace.ts has it (product decisions, section 2). */
const NAMESPACE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const SETTING_TYPES: Readonly<Record<SettingDefinition["type"], SettingType>> = {
  switch: { parse: (text) => BOOLEAN_WORDS.get(text.toLowerCase()), description: "true or false" },
  choice: {
    parse: (text, { name }) =>
      settingDefinition(name).choices?.find((choice) => choice === text.toLowerCase()),
    description: "one of its values",
  },
  integer: {
    parse: (text, { name }) => integerOf(text, settingDefinition(name)),
    description: "a whole number",
  },
  namespace: {
    parse: (text) => (NAMESPACE.test(text) ? text : undefined),
    description: "1 to 64 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or digit",
  },
  path: {
    parse: (text, { home }) => (text === "" ? undefined : resolve(expandHome(text, home))),
    description: "an absolute path, or one that begins with `~/`",
  },
  secret: { parse: (text) => text, description: "the secret" },
};

function integerOf(
  text: string,
  { min = -Infinity, max = Infinity }: SettingDefinition,
): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}
