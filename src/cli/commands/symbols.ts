import { placeOf } from "../../tools/place-of.ts";
import type { FoundSymbol, SymbolsResult } from "../../engine/api/symbols.ts";
import { namespaceWords } from "../../sources/namespace-list.ts";
import { symbolLine } from "../../tools/search/find-symbol.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { emptyIndexHint } from "../empty-index.ts";
import { AT_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { openProject, type OpenedProject } from "../open-project.ts";
import { itemPrinter, JSON_LINES_FLAG, requireOneFormat } from "../output-flags.ts";
import { argumentOrInput } from "../piped-argument.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { formatFlag, type TemplateFields } from "../print/template.ts";
import { SCOPE_FLAGS, searchScope } from "../search-scope.ts";

const NOTHING_FOUND = 1;
const EXAMPLE = "svc symbols Session.open";
/** Those of `KIND_WORDS` that completion offers. */
const KINDS = [
  "function",
  "method",
  "class",
  "type",
  "struct",
  "interface",
  "trait",
  "enum",
  "constant",
  "variable",
  "field",
  "property",
  "module",
  "section",
] as const;

function fieldsOf({ fileOf }: Pick<OpenedProject, "fileOf">): TemplateFields<FoundSymbol> {
  return {
    namespace: ({ namespace = "" }) => namespace,
    path: ({ path }) => path,
    file: ({ path }) => fileOf(path) ?? path,
    line: ({ nameLine }) => nameLine,
    column: ({ nameColumn }) => nameColumn,
    start_line: ({ startLine }) => startLine,
    end_line: ({ endLine }) => endLine,
    name: ({ name }) => name,
    qualified_name: ({ qualifiedName }) => qualifiedName,
    kind: ({ kind }) => kind,
    language: ({ language }) => language,
    text: ({ signature }) => safeLine(signature),
    documentation: ({ docLine }) => safeLine(docLine),
    used_in_files: ({ users }) => users,
  };
}

export const command = defineCommand({
  description:
    "Finds definitions by name: the exact name, a qualified name, a prefix, some of its words in any order, its initials, or a misspelling. Prints one line for each: kind, signature, first line of the documentation, location, and how many files use it.",
  args: [
    {
      name: "name",
      description:
        'Name, such as parseConfig, Session.open or "parse conf"; - or nothing reads it from standard input.',
    },
    {
      name: "path",
      suggests: "file",
      description: "File or folder to search (default: the project around the working directory).",
    },
  ],
  flags: {
    kind: {
      type: "string",
      choices: KINDS,
      placeholder: "KIND",
      description: "Only definitions of this kind.",
    },
    near: {
      type: "string",
      placeholder: "FILE[:LINE]",
      description:
        "A place that uses the name. The definition it uses comes first, then those nearest to the file.",
    },
    language: { type: "string", placeholder: "LANG", description: "Only files in this language." },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    limit: {
      type: "integer",
      short: "n",
      default: 20,
      min: 1,
      max: 100,
      placeholder: "N",
      description: "Maximum number of definitions.",
    },
    ...SCOPE_FLAGS,
    at: AT_FLAG,
    pager: PAGER_FLAG,
    format: formatFlag(Object.keys(fieldsOf({ fileOf: () => undefined }))),
    json: JSON_FLAG,
    jsonl: JSON_LINES_FLAG,
  },
  examples: [
    { run: EXAMPLE, description: "Find the definition of a method." },
    {
      run: "svc symbols parseConf --kind function",
      description: "Find parseConfig, parseUserConfig and others.",
    },
    {
      run: "svc symbols open --near lib/server.ts:40",
      description: "Find the open that line 40 calls.",
    },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args, flags }, context) {
    const { app, io } = context;
    const { json, jsonl, format } = flags;
    requireOneFormat({ json, jsonl, format });
    const name = await argumentOrInput(
      { name: "NAME", value: args.name, example: EXAMPLE },
      context,
    );
    const project = await openProject(context, {
      path: args.path,
      namespace: searchScope(flags, args.path),
      withDependencies: flags.dependencies,
      positional: { command: "symbols", text: name },
    });
    const printItem = itemPrinter(io, flags, { fields: fieldsOf(project), recordOf });
    const { kind, near, language, path, limit } = flags;
    const request = {
      name,
      symbolKind: kind,
      near,
      language,
      path,
      limit,
      principal: app.owner,
    };
    const answer = await queryUpToDate(
      context,
      project,
      (where) => project.engine.findSymbols({ ...request, ...where }),
      flags.at,
    );
    const isNothing = answer.symbols.length === 0 && flags.at === undefined;
    const empty = isNothing
      ? await emptyIndexHint(context, project.engine, answer.namespace)
      : undefined;
    const result = empty === undefined ? answer : { ...answer, hint: empty };
    if (json) printJson(io, jsonOf(name, result));
    else if (printItem !== undefined) result.symbols.forEach(printItem);
    else await withPager(context, flags.pager, (paged) => printSymbols(paged.io, name, result));
    return result.symbols.length === 0 ? NOTHING_FOUND : 0;
  },
});

function printSymbols(io: Io, name: string, result: SymbolsResult): void {
  const { symbols, total, similar, isApproximate, nextCursor } = result;
  for (const sentence of result.missing ?? []) io.err(`${sentence}\n`);
  if (symbols.length === 0)
    io.err(
      `No symbol "${safeLine(name)}" in ${namespaceWords(result.namespace)}.${safeLine(hintText(result))}\n`,
    );
  else if (isApproximate) io.err(`No symbol "${safeLine(name)}"; nearest:\n`);
  for (const symbol of symbols) io.out(`${safeLine(symbolLine(symbol))}\n`);
  if (similar.length > 0) io.err(`Similar names: ${safeLine(similar.join(", "))}.\n`);
  else if (nextCursor !== undefined) io.err(`${total} in total; use --limit to show more.\n`);
}

/** What may explain an empty answer, after a space; "" if nothing is known. */
function hintText({ hint }: SymbolsResult): string {
  return hint === undefined ? "" : ` ${hint}`;
}

function jsonOf(name: string, result: SymbolsResult): unknown {
  return {
    name,
    namespace: result.namespace,
    generation: result.generation,
    symbols: result.symbols.map(recordOf),
    total: result.total,
    nearest: result.isApproximate,
    similar: result.similar,
    next_cursor: result.nextCursor ?? null,
  };
}

function recordOf(symbol: FoundSymbol): unknown {
  return {
    ...(symbol.namespace === undefined ? {} : { namespace: symbol.namespace }),
    path: symbol.path,
    start_line: symbol.startLine,
    end_line: symbol.endLine,
    ...placeOf(symbol),
    name_line: symbol.nameLine,
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    kind: symbol.kind,
    access: symbol.access,
    language: symbol.language,
    signature: symbol.signature,
    documentation: symbol.docLine,
    match: symbol.match,
    used_in_files: symbol.users,
  };
}
