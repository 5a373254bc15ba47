// Finds what a name in a file refers to: its definitions, with signature and documentation.

import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { NamedDefinition, NameRequest, NameResult } from "../api/browse.ts";
import { SourceLines } from "../files/source-lines.ts";
import type { QueryContext } from "../query-context.ts";
import { definitionsNamed } from "../symbols/named-definitions.ts";
import { symbolComment, symbolLines } from "../symbols/symbol-lines.ts";
import { openFile } from "./open-file.ts";

interface NameContext extends QueryContext {
  readonly graph: ReferenceGraph;
}

const NAME = /[\p{L}\p{N}_$]+/gu;
/** A person reads no more; a name with more definitions is a common word. */
const MAX_DEFINITIONS = 10;

type Found = Pick<NameResult, "role"> & {
  readonly symbols: readonly SymbolHit[];
  readonly certainty: NamedDefinition["certainty"];
};

/** Returns the definitions of the name at a position; none if there is no name. Throws as `openFile` does. */
export async function explainName(
  context: NameContext,
  { path, line, column }: NameRequest,
): Promise<Omit<NameResult, "namespace">> {
  const { reader, texts } = context;
  const { source } = await openFile(context, path);
  const found = wordAt(source.isBinary ? "" : (source.lines[line - 1] ?? ""), column);
  const generation = reader.version.at;
  if (found === undefined) return { generation, name: "", column: 0, role: "", definitions: [] };
  const { name } = found;
  const { role, symbols, certainty } = await definitionsOf(context, { path, line, name });
  const lines = new SourceLines(reader, texts);
  const definitions: NamedDefinition[] = [];
  for (const symbol of symbols.slice(0, MAX_DEFINITIONS)) {
    // oxlint-disable-next-line no-await-in-loop -- a file is read once
    const described = await describe(context, lines, symbol);
    definitions.push({ ...described, certainty });
  }
  return { generation, name, column: found.column, role, definitions };
}

function wordAt(
  text: string,
  column: number,
): { readonly name: string; readonly column: number } | undefined {
  for (const { 0: name, index } of text.matchAll(NAME)) {
    const isIn = index < column && column <= index + name.length;
    if (isIn && !/^\p{N}/u.test(name)) return { name, column: index + 1 };
  }
  return undefined;
}

async function definitionsOf(
  { graph, reader }: NameContext,
  { path, line, name }: { readonly path: string; readonly line: number; readonly name: string },
): Promise<Found> {
  const own = (await reader.symbolsOf(path))
    .filter((symbol) => symbol.name === name && symbol.nameLine === line)
    .map((symbol) => ({ ...symbol, path }));
  if (own.length > 0) return { role: "definition", symbols: own, certainty: "exact" };
  const uses = await graph.definitionsAt(path, line, name);
  const use = uses.find(({ certainty }) => certainty === "exact") ?? uses[0];
  if (use !== undefined) {
    return { role: use.role, symbols: use.targets, certainty: use.certainty };
  }
  const symbols = (await definitionsNamed(reader, name)).filter((one) => one.name === name);
  return { role: "", symbols, certainty: "name" };
}

async function describe(
  { reader }: Pick<NameContext, "reader">,
  lines: SourceLines,
  symbol: SymbolHit,
): Promise<Omit<NamedDefinition, "certainty">> {
  const { path, startLine, endLine, nameLine, name, qualifiedName, kind } = symbol;
  const file = await lines.read(path);
  const language = (await reader.factsOf(path))?.language ?? "";
  const { signature, comment } =
    file === undefined
      ? { signature: qualifiedName, comment: "" }
      : {
          signature: symbolLines(file.lines, symbol, language).signature,
          comment: symbolComment(file.lines, symbol, language),
        };
  return { path, startLine, endLine, nameLine, name, qualifiedName, kind, signature, comment };
}
