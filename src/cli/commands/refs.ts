import { placeOf as documentPart } from "../../tools/place-of.ts";
import type { FoundReference, ReferencesResult } from "../../engine/api/references.ts";
import { headline, referenceText, RELATIONS } from "../../tools/analysis/find-references.ts";
import { withCommands } from "../commands-of-tools.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { openProject, type OpenedProject } from "../open-project.ts";
import { itemPrinter, JSON_LINES_FLAG, requireOneFormat } from "../output-flags.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeLine, safeText } from "../print/safe-text.ts";
import { formatFlag, type TemplateFields } from "../print/template.ts";
import { pathOrRouteIn } from "../shell-paths.ts";
import { createStyle } from "../print/style.ts";
import { SCOPE_FLAGS, searchScope } from "../search-scope.ts";
import { namespaceMark } from "../../tools/search/namespace-mark.ts";

const NOTHING_FOUND = 1;

/** The file that the line is in: for an import, the one that imports. */
function placeOf({ path, from }: FoundReference): string {
  return from === "" ? path : from;
}

function fieldsOf({ fileOf }: Pick<OpenedProject, "fileOf">): TemplateFields<FoundReference> {
  return {
    namespace: ({ namespace = "" }) => namespace,
    path: placeOf,
    file: (one) => fileOf(placeOf(one)) ?? placeOf(one),
    line: ({ line }) => line,
    column: ({ column }) => column,
    symbol: ({ symbol }) => symbol,
    target: ({ path }) => path,
    role: ({ role }) => role,
    certainty: ({ certainty }) => certainty,
    depth: ({ depth }) => depth,
    text: ({ text }) => safeLine(text),
  };
}

export const command = defineCommand({
  description:
    "Finds the users, callers, callees or implementations of a definition, or the imports or importers of a file. Each reference is exact (resolved through scopes, imports and types) or by name.",
  args: [
    {
      name: "symbol",
      required: true,
      description:
        "A name, PATH#NAME or PATH:LINE of a definition; an environment variable, an SQL table or a route such as 'GET /users/{id}'; for imports and importers, the path of a file.",
    },
    {
      name: "path",
      suggests: "file",
      description: "File or folder to search (default: the project around the working directory).",
    },
  ],
  flags: {
    relation: {
      type: "string",
      short: "r",
      choices: RELATIONS,
      default: "references",
      placeholder: "KIND",
      description: "Kind of reference.",
    },
    depth: {
      type: "integer",
      default: 1,
      min: 1,
      max: 5,
      placeholder: "N",
      description: "Levels to follow; 2 includes users of users.",
    },
    path: {
      type: "string",
      placeholder: "GLOB",
      description: "Only files whose path matches GLOB.",
    },
    limit: {
      type: "integer",
      short: "n",
      default: 100,
      min: 1,
      max: 500,
      placeholder: "N",
      description: "Maximum number of references.",
    },
    at: AT_FLAG,
    ...SCOPE_FLAGS,
    pager: PAGER_FLAG,
    format: formatFlag(Object.keys(fieldsOf({ fileOf: () => undefined }))),
    json: JSON_FLAG,
    jsonl: JSON_LINES_FLAG,
  },
  examples: [
    { run: "svc refs parseConfig", description: "Find every use of a function." },
    {
      run: "svc refs Session.open -r callers --depth 2",
      description: "Find the callers of a method, and their callers.",
    },
    {
      run: "svc refs 'GET /users/{id}'",
      description: "Find the clients of a route; add -r implementations to find its handlers.",
    },
    {
      run: "svc refs compose --namespace koa-compose,koa",
      description: "Find the uses of a library's function in another project.",
    },
    {
      run: "svc refs src/base/log.ts -r importers",
      description: "Find the files that import a file.",
    },
  ],
  exitCodes: { 1: "Nothing was found." },
  async run({ args, flags }, context) {
    const { app, io } = context;
    const { json, jsonl, format } = flags;
    requireOneFormat({ json, jsonl, format });
    const project = await openProject(context, {
      path: args.path ?? pathOrRouteIn(args.symbol),
      isOfIndex: args.path === undefined,
      namespace: searchScope(flags, args.path),
      withDependencies: flags.dependencies,
      positional: { command: "refs", text: args.symbol },
    });
    const printItem = itemPrinter(io, flags, { fields: fieldsOf(project), recordOf });
    const { relation, depth, path, limit } = flags;
    const request = { symbol: args.symbol, relation, depth, path, limit, principal: app.owner };
    const result = await queryUpToDate(
      context,
      project,
      (where) => project.engine.references({ ...request, ...where }),
      flags.at,
    );
    if (json) printJson(io, jsonOf(result));
    else if (printItem !== undefined) result.references.forEach(printItem);
    else
      await withPager(context, flags.pager, (paged) => printReferences(paged.io, result, relation));
    return result.references.length === 0 ? NOTHING_FOUND : 0;
  },
});

function printReferences(io: Io, result: ReferencesResult, relation: string): void {
  const style = createStyle(io.color);
  for (const sentence of result.missing ?? []) io.err(`${safeText(sentence)}\n`);
  io.err(`${safeText(withCommands(headline(result, relation)))}\n`);
  let last: FoundReference | undefined;
  for (const reference of result.references) {
    const { path, depth, namespace } = reference;
    if (last?.path !== path || last.depth !== depth || last.namespace !== namespace) {
      const note = depth > 1 ? style.dim(`  depth ${depth}`) : "";
      io.out(`${style.magenta(safeText(path))}${namespaceMark(reference)}${note}\n`);
    }
    io.out(`  ${safeText(referenceText(reference))}\n`);
    last = reference;
  }
  if (result.nextCursor !== undefined) {
    io.err(`${result.exact + result.byName} in total; use --limit to show more.\n`);
  }
}

function jsonOf(result: ReferencesResult): unknown {
  const { target, references, exact, byName, files } = result;
  return {
    namespace: result.namespace,
    generation: result.generation,
    target: {
      ...namespaceOf(target),
      path: target.path,
      start_line: target.startLine,
      end_line: target.endLine,
      symbol: target.symbol,
    },
    references: references.map(recordOf),
    exact,
    by_name: byName,
    files,
    ...(result.missing === undefined ? {} : { missing: result.missing }),
    next_cursor: result.nextCursor ?? null,
  };
}

function namespaceOf({ namespace }: { readonly namespace?: string }): object {
  return namespace === undefined ? {} : { namespace };
}

function recordOf(one: FoundReference): unknown {
  return {
    ...namespaceOf(one),
    path: one.path,
    line: one.line,
    ...documentPart(one),
    ...(one.from === "" ? {} : { from: one.from }),
    symbol: one.symbol,
    role: one.role,
    certainty: one.certainty,
    ...(one.version === undefined ? {} : { version: one.version }),
    depth: one.depth,
    text: one.text,
  };
}
