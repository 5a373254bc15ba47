// Reads TOML as plain values. A stranger may have written the file, so its keys only become keys of a Map.

import { parseTOML, type AST } from "toml-eslint-parser";

export type TomlValue = string | boolean | readonly TomlValue[] | TomlValues | undefined;
export type TomlValues = ReadonlyMap<string, TomlValue>;

type MutableTable = Map<string, TomlValue>;

/** Returns the values of a TOML text; none if it is invalid. Numbers and dates are left out. */
export function readTomlValues(text: string): TomlValues {
  const root: MutableTable = new Map();
  try {
    for (const node of parseTOML(text).body[0].body) {
      if (node.type === "TOMLKeyValue") setValue(root, node);
      else {
        const table: MutableTable = new Map();
        for (const inner of node.body) setValue(table, inner);
        place(root, { keys: namesOf(node.key), isList: node.kind === "array" }, table);
      }
    }
  } catch {
    return new Map();
  }
  return root;
}

function namesOf({ keys }: AST.TOMLKey): readonly string[] {
  return keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}

function setValue(table: MutableTable, { key, value }: AST.TOMLKeyValue): void {
  place(table, { keys: namesOf(key), isList: false }, valueOf(value));
}

function place(
  table: MutableTable,
  { keys, isList }: { readonly keys: readonly string[]; readonly isList: boolean },
  value: TomlValue,
): void {
  const [first = "", ...rest] = keys;
  if (rest.length > 0) {
    const known = table.get(first);
    const last = Array.isArray(known) ? (known as readonly TomlValue[]).at(-1) : known;
    const inner: MutableTable = last instanceof Map ? last : new Map<string, TomlValue>();
    if (inner !== last) table.set(first, inner);
    place(inner, { keys: rest, isList }, value);
    return;
  }
  const known = table.get(first);
  if (isList) table.set(first, [...(Array.isArray(known) ? known : []), value]);
  else if (known instanceof Map && value instanceof Map) {
    for (const [name, one] of value) known.set(name, one);
  } else table.set(first, value);
}

function valueOf(node: AST.TOMLContentNode): TomlValue {
  if (node.type === "TOMLArray") return node.elements.map(valueOf);
  if (node.type === "TOMLInlineTable") {
    const table: MutableTable = new Map();
    for (const inner of node.body) setValue(table, inner);
    return table;
  }
  return node.kind === "string" || node.kind === "boolean" ? node.value : undefined;
}

function isTable(value: TomlValue): value is TomlValues {
  return value instanceof Map;
}

export function tableIn(table: TomlValues | undefined, ...path: readonly string[]): TomlValues {
  let value: TomlValue = table;
  for (const name of path) value = isTable(value) ? value.get(name) : undefined;
  return isTable(value) ? value : new Map<string, TomlValue>();
}

export function tomlTextIn(table: TomlValues, name: string): string | undefined {
  const value = table.get(name);
  return typeof value === "string" ? value : undefined;
}

export function listIn(table: TomlValues, name: string): readonly TomlValue[] {
  const value = table.get(name);
  return Array.isArray(value) ? (value as readonly TomlValue[]) : [];
}

/** The tables of a lock file that lists packages: `[[package]]` with one line for each of its strings. */
export function* lockedPackages(text: string): Generator<ReadonlyMap<string, string>> {
  for (const part of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const own = part.split(/^\[/m, 1)[0] ?? "";
    const values = new Map<string, string>();
    for (const { groups } of own.matchAll(
      /^(?<name>[\w-]+)\s*=\s*(?:"(?<value>[^"]*)"|(?<other>\{.*\}))/gm,
    ))
      values.set(groups?.["name"] ?? "", groups?.["value"] ?? groups?.["other"] ?? "");
    yield values;
  }
}
