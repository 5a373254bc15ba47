// Validates values of settings, as text (a flag, the environment, `svc config set`) and in config.json.
import { alternatives } from "../base/alternatives.ts";
import { isAbsolute, resolve } from "node:path";

import { problemWithServerUrl } from "../base/server-url.ts";
import { expandHome } from "./paths.ts";
import {
  settingDefinition,
  type SettingDefinition,
  type SettingName,
} from "./setting-definitions.ts";

export type SettingValue = boolean | number | string;

/** The home directory, which replaces `~`; undefined if the account has none. */
type Home = string | undefined;

/** Parses the text of a setting and makes a path absolute. Undefined if the text is invalid. */
export function parseSetting(
  name: SettingName,
  text: string,
  home: Home,
): SettingValue | undefined {
  // A passphrase may contain leading and trailing blanks.
  const exact = name === "passphrase" ? text : text.trim();
  return SETTING_TYPES[settingDefinition(name).type].parse(exact, { name, home });
}

/** Does the same for a value of config.json, which must have the setting's type; a path must be absolute. */
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
  // A relative path is ambiguous here, because the program runs in many folders.
  const isUsable = type !== "path" || isAbsolute(expandHome(value, home));
  return isUsable ? parseSetting(name, value, home) : undefined;
}

/** Shows an invalid value in a message: not an address, because it may contain a password. */
export function invalidValueText(name: SettingName, text: string): string {
  const { type } = settingDefinition(name);
  return ["database", "server", "node"].includes(type) ? "not a valid address" : text;
}

/** Describes the valid values of the setting, as the end of "Set it to …". */
export function expectedValueText(name: SettingName): string {
  const { type, choices, min, max } = settingDefinition(name);
  const range = type === "integer" ? ` from ${min} to ${max}` : "";
  return choices === undefined
    ? `${SETTING_TYPES[type].description}${range}`
    : alternatives(choices);
}

interface SettingType {
  /** Returns undefined for an invalid text. */
  readonly parse: (
    text: string,
    of: { readonly name: SettingName; readonly home: Home },
  ) => SettingValue | undefined;
  /** Describes the valid values, as the end of "Set it to …". */
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

/** The same pattern as requireNamespaceName of sources/namespace.ts (product decisions, section 2). */
const NAMESPACE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * The address of a database without a password: the text is shown in messages and lists. postgres/database-url.ts checks
 * the rest when svc connects.
 */
const DATABASE = /^postgres(?:ql)?:\/\/(?:[^/@?#:\s]*@)?[^/@?#\s]+\/[^@\s]+$/;

/** Messages between nodes are signed, and contain no text of files: plain HTTP may do in a network of their own. */
const NODE = /^https?:\/\/[^/@?#\s]+(?:\/[^@?#\s]*)?$/;

const SETTING_TYPES: Readonly<Record<SettingDefinition["type"], SettingType>> = {
  switch: { parse: (text) => BOOLEAN_WORDS.get(text.toLowerCase()), description: "true or false" },
  choice: {
    parse: (text, { name }) =>
      settingDefinition(name).choices?.find((choice) => choice === text.toLowerCase()),
    description: "one of its values",
  },
  command: {
    parse: (text) => (text === "" || /\p{Cc}/u.test(text) ? undefined : text),
    description: "a command line, such as `less -R`",
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
  database: {
    parse: (text) => (DATABASE.test(text) ? text : undefined),
    description: "an address such as postgres://db.example.org/svc, without a password",
  },
  server: {
    parse: (text) => (problemWithServerUrl(text) === undefined ? text : undefined),
    description: "an https address without a secret, such as https://svc.example.org",
  },
  node: {
    parse: (text) => (NODE.test(text) && URL.canParse(text) ? text : undefined),
    description: "an address without a secret, such as http://10.0.0.5:7420",
  },
  size: {
    parse: (text) => (sizeBytes(text) === undefined ? undefined : text.toUpperCase()),
    description: "a number with MB, GB or TB, such as 20GB",
  },
  secret: { parse: (text) => text, description: "the secret" },
};

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };

/** Returns the bytes of a size such as "1.5 GB"; undefined if it is none, or is zero. */
export function sizeBytes(text: string): number | undefined {
  const { number, unit = "" } =
    /^(?<number>\d{1,6}(?:\.\d{1,3})?) ?(?<unit>[MGT]B)$/i.exec(text)?.groups ?? {};
  const bytes = Number(number) * (UNITS[unit.toUpperCase()] ?? NaN);
  return bytes > 0 ? bytes : undefined;
}

function integerOf(
  text: string,
  { min = -Infinity, max = Infinity }: SettingDefinition,
): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}
