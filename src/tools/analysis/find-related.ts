import * as v from "valibot";

import type {
  RelatedGroup,
  RelatedItem,
  RelatedResult,
  Relation,
} from "../../engine/api/related.ts";
import { namespace, boundedText, wholeNumber } from "../arguments.ts";
import { defineTool } from "../tool.ts";

export const FILE_RELATIONS = ["similar", "tests", "docs", "changed_together"] as const;

export const findRelated = defineTool({
  name: "find_related",
  title: "Find related",
  group: "analysis",
  description:
    "Find code similar to a path, path:10-40 or symbol, its tests, its docs, files that change with it.",
  readOnly: true,
  input: {
    target: boundedText(4096),
    relation: v.optional(v.picklist(FILE_RELATIONS, `must be one of ${FILE_RELATIONS.join(", ")}`)),
    limit: v.optional(wholeNumber(1, 50), 10),
    namespace,
  },
  aliases: { symbol: "target", path: "target", name: "target" },
  async run(input, { engine, principal, signal, emit }) {
    const opened = await engine();
    const result = await opened.related({ ...input, principal, signal });
    emit({ text: subjectText(result) });
    for (const group of result.groups) {
      emit({ text: groupText(group), meta: { "dev.svc/related": metaOf(group) } });
    }
    return { isRepeatable: result.isCacheable };
  },
});

/** The subject and the groups of an answer as texts. */
export function relatedTexts(result: RelatedResult): readonly string[] {
  return [subjectText(result), ...result.groups.map(groupText)];
}

const TITLES: Readonly<Record<Relation, string>> = {
  similar: "Similar:",
  tests: "Tests:",
  docs: "Docs:",
  changed_together: "Changed together:",
};
const NOTHING: Readonly<Record<Relation, string>> = {
  similar: "no similar code.",
  tests: "no test imports it, uses it or is named after it.",
  docs: "no document names it.",
  changed_together: "no data.",
};

function subjectText({ path, startLine, endLine, symbol, others }: RelatedResult): string {
  const subject = `${path}:${startLine}-${endLine}${symbol === "" ? "" : `  ${symbol}`}`;
  if (others.length === 0) return subject;
  const locations = others.map(
    (other) => `${other.path}:${other.startLine} ${other.qualifiedName}`,
  );
  return `${subject}\nOther definitions of the name: ${locations.join(", ")}`;
}

function groupText({ relation, items, problem }: RelatedGroup): string {
  if (items.length === 0) return `${TITLES[relation]} ${problem ?? NOTHING[relation]}`;
  return [TITLES[relation], ...items.map((item) => `  ${itemText(item)}`)].join("\n");
}

function itemText({ path, startLine, endLine, symbol, why }: RelatedItem): string {
  const lines =
    startLine === 0 ? "" : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
  return `${path}${lines}${symbol === "" ? "" : `  ${symbol}`}  ${why.join("; ")}`;
}

function metaOf({ relation, items }: RelatedGroup): Record<string, unknown> {
  return {
    relation,
    items: items.map(({ path, startLine, endLine, score }) => ({
      path,
      ...(startLine === 0 ? {} : { startLine, endLine }),
      score: Math.round(score * 1000) / 1000,
    })),
  };
}
