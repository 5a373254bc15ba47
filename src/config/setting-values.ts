// What is a value of a setting, as text (a flag, the environment, `svc config set`) and in config.json.
import { isAbsolute, resolve } from "node:path";

import { expandHome } from "./paths.ts";
import { settingOf, type SettingDefinition, type SettingName } from "./setting-definitions.ts";

export type SettingValue = boolean | string;

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
  return TYPES[settingOf(name).type].parse(exact, { name, home });
}

/** The same for a value of config.json, which must have its type and be written out. */
export function checkSetting(
  name: SettingName,
  value: unknown,
  home: Home,
): SettingValue | undefined {
  if (typeof value === "boolean") return settingOf(name).type === "switch" ? value : undefined;
  if (typeof value !== "string" || settingOf(name).type === "switch") return undefined;
  // Relative to which folder nobody could say: the program runs in many.
  const isPlaced = settingOf(name).type !== "path" || isAbsolute(expandHome(value, home));
  return isPlaced ? parseSetting(name, value, home) : undefined;
}

/** What the setting takes, in words that follow "Set it to". */
export function expectedOf(name: SettingName): string {
  return settingOf(name).choices?.join(", ") ?? TYPES[settingOf(name).type].takes;
}

interface Type {
  /** Undefined for a text that is no value. */
  readonly parse: (
    text: string,
    of: { readonly name: SettingName; readonly home: Home },
  ) => SettingValue | undefined;
  /** In words. */
  readonly takes: string;
}

const SWITCH: ReadonlyMap<string, boolean> = new Map([
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

const TYPES: Readonly<Record<SettingDefinition["type"], Type>> = {
  switch: { parse: (text) => SWITCH.get(text.toLowerCase()), takes: "true or false" },
  choice: {
    parse: (text, { name }) =>
      settingOf(name).choices?.find((choice) => choice === text.toLowerCase()),
    takes: "one of its values",
  },
  namespace: {
    parse: (text) => (NAMESPACE.test(text) ? text : undefined),
    takes: "1 to 64 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or digit",
  },
  path: {
    parse: (text, { home }) => (text === "" ? undefined : resolve(expandHome(text, home))),
    takes: "an absolute path, or one that begins with `~/`",
  },
  secret: { parse: (text) => text, takes: "the secret" },
};
