// Finds all shared names of a file.

import { isEnvironmentFile } from "../../base/environment-file.ts";
import type { FileReferences, Use } from "../references/references.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { environmentVariablesIn } from "./environment-variables.ts";
import { httpRoutesIn } from "./http-routes.ts";
import { mountsIn } from "./mounts.ts";
import type { NamedText } from "./named-text.ts";
import { routeOf, useOfMount, useOfSharedName, type SharedName } from "./shared-name.ts";
import { sqlTablesIn } from "./sql-tables.ts";

/** Maximum shared names of a file: beyond that it is a list of data. */
const MAX_NAMES = 2000;
/** Languages without calls. */
const WITHOUT_CALLS = new Set(
  "yaml json toml css sql bash terraform dockerfile graphql protobuf".split(" "),
);
/** Texts for people, and tables, have shared names only as examples and data. */
const WITHOUT_NAMES = new Set("markdown rst asciidoc org tex pod html text csv bibtex".split(" "));

/** Returns the references with the uses of shared names in the text of a file. */
export function withSharedNames(
  references: FileReferences,
  source: TextWithSymbols,
): FileReferences {
  const found = sharedNamesIn(source);
  const mounts = mountsIn(source.text, source.language);
  if (found.length + mounts.length === 0) return references;
  const ownerAt = definitionsByLine(source.symbols);
  const uses = [
    ...found.map((shared) => useOfSharedName(shared, ownerAt(shared.line))),
    ...mounts.map(useOfMount),
  ];
  return { ...references, uses: [...references.uses, ...withoutRepeats(uses)].toSorted(byLine) };
}

/** Returns the shared names of a text that is neither prose nor a document. */
function sharedNamesIn({
  path,
  text,
  language = "",
  symbols,
}: TextWithSymbols): readonly SharedName[] {
  const baseName = path.slice(path.lastIndexOf("/") + 1);
  const isTest = /(?:^|[/_.-])(?:tests?|specs?|e2e|cypress|__tests__)(?:[/_.-]|$)/i.test(path);
  const file: NamedText = { path, baseName, text, language, isTest };
  if (WITHOUT_NAMES.has(language)) return [];
  if (language === "" && !isEnvironmentFile(baseName)) return [];
  const found = [
    ...environmentVariablesIn(file),
    ...sqlTablesIn(file),
    ...(WITHOUT_CALLS.has(language) ? [] : httpRoutesIn(file)),
    ...operationsIn(symbols),
  ];
  return found.length > MAX_NAMES ? [] : found;
}

/** The operations of OpenAPI, which are symbols that are named after their route: `GET /users/{id}`. */
function operationsIn(symbols: readonly SymbolDefinition[]): SharedName[] {
  return symbols.flatMap(({ name, startLine }): SharedName[] => {
    const { method, path } = /^(?<method>[A-Z]{3,7}) (?<path>\/\S*)$/.exec(name)?.groups ?? {};
    const route = path === undefined ? undefined : routeOf(method, path);
    if (route === undefined) return [];
    return [{ kind: "route", name: route, line: startLine, isDeclared: true }];
  });
}

function withoutRepeats(uses: readonly Use[]): readonly Use[] {
  const known = new Map(uses.map((use) => [`${use.line} ${use.name} ${use.receiver}`, use]));
  return [...known.values()];
}

function byLine(one: Use, other: Use): number {
  return one.line - other.line;
}
