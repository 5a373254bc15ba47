// Reads the subset of config file formats that locates modules. Invalid text is read as empty.

/** A JSON value. */
export type ConfigValue = string | number | boolean | null | readonly ConfigValue[] | ConfigObject;
export interface ConfigObject {
  readonly [key: string]: ConfigValue | undefined;
}

/** Names of the files that the rules for modules and exports read first. Some of them name further files. */
export const CONFIG_FILE_NAMES: readonly string[] = [
  "package.json",
  "tsconfig.json",
  "jsconfig.json",
  "go.mod",
  "Cargo.toml",
  "composer.json",
  "Package.swift",
  "pubspec.yaml",
  "build.zig",
  "NAMESPACE",
];

const COMMENT = /(?<string>"(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;
const TRAILING_COMMA = /(?<string>"(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g;

/** Returns an object of JSON with comments and trailing commas; empty if there is none. */
export function readConfig(text: string | undefined): ConfigObject {
  if (text === undefined) return {};
  return asConfigObject(parseJson(text) ?? parseJson(withoutComments(text)));
}

function withoutComments(text: string): string {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return plain.replace(COMMENT, "$<string>").replace(TRAILING_COMMA, "$<string>");
}

function parseJson(text: string): ConfigValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse returns JSON
    return JSON.parse(text) as ConfigValue;
  } catch {
    return undefined;
  }
}

/** Returns the value if it is an object, else an empty object. */
export function asConfigObject(value: ConfigValue | undefined): ConfigObject {
  return isConfigObject(value) ? value : {};
}

export function isConfigObject(value: ConfigValue | undefined): value is ConfigObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a string, else undefined. */
export function asString(value: ConfigValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a string as a list of one, and the strings of a list. Other values have none. */
export function asStrings(value: ConfigValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** A `[name]` or `[[name]]` table of a TOML file. The values before the first table have the name "". */
export interface TomlTable {
  readonly name: string;
  /** Raw values by key. Of a value over several lines, only the first. */
  readonly values: ReadonlyMap<string, string>;
}

const TOML_TABLE = /^\s*\[\[?\s*(?<name>[^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const TOML_VALUE = /^\s*(?<key>[\w."'-]+)\s*=\s*(?<value>.*?)\s*$/;

/** Returns the tables of a TOML file, parsed line by line. */
export function readToml(text: string | undefined): readonly TomlTable[] {
  const values = new Map<string, string>();
  const tables: { name: string; values: Map<string, string> }[] = [{ name: "", values }];
  for (const line of text?.split("\n") ?? []) {
    const name = TOML_TABLE.exec(line)?.groups?.["name"];
    const groups = TOML_VALUE.exec(line)?.groups;
    if (name !== undefined) tables.push({ name: unquote(name), values: new Map() });
    else if (groups !== undefined) {
      tables.at(-1)?.values.set(unquote(groups["key"] ?? ""), groups["value"] ?? "");
    }
  }
  return tables;
}

/** Returns a quoted TOML value without its quotes; undefined for anything else. */
export function tomlString(value: string | undefined): string | undefined {
  return /^(?<quote>["'])(?<text>.*?)\k<quote>/.exec(value ?? "")?.groups?.["text"];
}

/** Returns the string of a key in an inline table: `{ path = "../a" }`. */
export function tomlField(value: string, key: string): string | undefined {
  const field = new RegExp(`[{,]\\s*${key}\\s*=\\s*(?<text>"[^"]*"|'[^']*')`).exec(value);
  return tomlString(field?.groups?.["text"]);
}

function unquote(text: string): string {
  return text.replaceAll(/["']/g, "");
}
