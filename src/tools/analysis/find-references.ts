import * as v from "valibot";

import { REFERENCE_RELATIONS } from "../../engine/api/references.ts";
import type { FoundReference, ReferencesResult } from "../../engine/api/references.ts";
import { cursor, namespaces, pathGlob, boundedText, wholeNumber } from "../arguments.ts";
import { namespaceMark } from "../search/namespace-mark.ts";
import { defineTool, type ContentItem } from "../tool.ts";

export const RELATIONS = REFERENCE_RELATIONS;

export const findReferences = defineTool({
  name: "find_references",
  title: "Find references",
  group: "analysis",
  description:
    "Find who uses, calls, imports or implements a definition, or what it calls: each place exact or by name.",
  readOnly: true,
  input: {
    symbol: v.pipe(
      boundedText(4096),
      v.description("Name, path#name, path:line, ENV_VAR, GET /route; path for imports."),
    ),
    relation: v.optional(
      v.picklist(REFERENCE_RELATIONS, `must be one of ${REFERENCE_RELATIONS.join(", ")}`),
      "references",
    ),
    depth: v.optional(wholeNumber(1, 5), 1),
    path: pathGlob,
    limit: v.optional(wholeNumber(1, 500), 50),
    cursor,
    namespace: namespaces,
  },
  aliases: { name: "symbol", target: "symbol" },
  async run(input, { engine, principal, signal, emit }) {
    const opened = await engine();
    const result = await opened.references({ ...input, principal, signal });
    for (const item of itemsOf(result, input.relation)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

/** The headline, then one item per file. */
function itemsOf(result: ReferencesResult, relation: string): readonly ContentItem[] {
  const { references, nextCursor, missing = [] } = result;
  const files = Map.groupBy(
    references,
    ({ path, depth, namespace = "" }) => `${depth} ${namespace} ${path}`,
  );
  const items = [...files.values()].map((ofFile) => ({
    text: fileText(ofFile),
    meta: { "dev.svc/references": factsOf(ofFile) },
  }));
  const more = [
    ...missing.map((text) => ({ text })),
    ...(nextCursor === undefined ? [] : [{ text: `More: cursor "${nextCursor}".` }]),
  ];
  return [{ text: headline(result, relation) }, ...items, ...more];
}

/** The facts that the text of a file does not have: a row for each of its references, in their order. */
function factsOf(references: readonly FoundReference[]): Record<string, unknown> {
  const { path, depth, namespace } = references[0] ?? {};
  const rows = references.map(({ line, role, certainty, symbol, from }) => [
    line,
    role,
    certainty,
    symbol,
    ...(from === "" ? [] : [from]),
  ]);
  return { path, ...(namespace === undefined ? {} : { namespace }), depth, rows };
}

/** "7 callers of Session.open (src/session.ts:12-40) in 3 files: 6 exact, 1 by name" */
export function headline(result: ReferencesResult, relation: string): string {
  const { target, others, exact, byName, files, hint } = result;
  const { path, startLine, endLine, symbol } = target;
  const place = path === "" ? symbol : path;
  const where = startLine === 0 ? place : `${symbol} (${path}:${startLine}-${endLine})`;
  const location = `${where}${namespaceMark(target)}`;
  const total = exact + byName;
  const what = total === 1 ? relation.replace(/s$/, "") : relation;
  const found =
    total === 0
      ? [`No ${relation} of ${location} found.`, ...(hint === undefined ? [] : [hint])].join(" ")
      : `${total} ${what} of ${location} in ${files === 1 ? "1 file" : `${files} files`}: ${exact} exact, ${byName} by name`;
  if (others.length === 0) return found;
  const locations = others
    .slice(0, 5)
    .map((other) => `${other.path}:${other.startLine}${namespaceMark(other)}`);
  const rest = others.length > locations.length ? " …" : "";
  return `${found}\nOther definitions of the name: ${locations.join(", ")}${rest}`;
}

function fileText(references: readonly FoundReference[]): string {
  const [first] = references;
  if (first === undefined) return "";
  const { path, depth, changed } = first;
  const file = `${path}${namespaceMark(first)}`;
  const notes = [
    ...(depth > 1 ? [`depth ${depth}`] : []),
    ...(changed ? ["changed since indexing"] : []),
  ];
  const head = notes.length === 0 ? file : `${file}  (${notes.join(", ")})`;
  return [head, ...references.map(referenceText)].join("\n");
}

/** `45: await openSession(options)  [Server.start]  by name`; of an import `src/main.ts:3: import …`. */
export function referenceText(reference: FoundReference): string {
  const { path, line, place: named, text, symbol, certainty, via, from, version } = reference;
  const ofOther = namespaceMark({ namespace: reference.fromNamespace });
  const around = symbol === "" ? "" : `  [${symbol}]`;
  const step = via === "" ? "" : `  via ${via}`;
  const place = from === "" ? line : `${from}:${line}${ofOther}`;
  const kind = version ?? (certainty === "exact" ? "" : "by name");
  const part =
    named === undefined ? "" : `  (${named.slice((from === "" ? path : from).length + 1)})`;
  return `${place}: ${text}${around}${step}${kind === "" ? "" : `  ${kind}`}${part}`;
}
