// Reads the few forms of config files that say where modules are. What is broken reads as nothing.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

const COMMENT = /(?<string>"(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;
const TRAILING_COMMA = /(?<string>"(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g;

/** An object of JSON with comments and trailing commas; empty when there is none. */
export function readJson(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  return asJsonObject(parseJson(text) ?? parseJson(withoutComments(text)));
}

function withoutComments(text: string): string {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return plain.replace(COMMENT, "$<string>").replace(TRAILING_COMMA, "$<string>");
}

function parseJson(text: string): Json | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives is JSON
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function asJsonObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asString(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string as one, a list as the strings in it. */
export function asStrings(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** One `[name]` or `[[name]]` of a TOML file; what stands before the first has the name "". */
export interface TomlTable {
  readonly name: string;
  /** Values as they are written; of those over several lines the first. */
  readonly values: ReadonlyMap<string, string>;
}

const TOML_TABLE = /^\s*\[\[?\s*(?<name>[^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const TOML_VALUE = /^\s*(?<key>[\w."'-]+)\s*=\s*(?<value>.*?)\s*$/;

/** The tables of a TOML file, as far as a line tells them. */
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

/** A quoted TOML value without quotes; undefined for anything else. */
export function tomlString(value: string | undefined): string | undefined {
  return /^(?<quote>["'])(?<text>.*?)\k<quote>/.exec(value ?? "")?.groups?.["text"];
}

/** The string under a key of an inline table: `{ path = "../a" }`. */
export function tomlField(value: string, key: string): string | undefined {
  const field = new RegExp(`[{,]\\s*${key}\\s*=\\s*(?<text>"[^"]*"|'[^']*')`).exec(value);
  return tomlString(field?.groups?.["text"]);
}

function unquote(text: string): string {
  return text.replaceAll(/["']/g, "");
}
