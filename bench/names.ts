// node bench/names.ts --tree LANGUAGE=FOLDER … [--rule used|spread] [--count 15] [--misses]: measures whether a bare
// name finds its definition. Indexes each tree with SVC_BIN or dist/svc, and asks find_symbol and search_context over
// MCP for names that bench/definitions.ts draws.
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";

import * as v from "valibot";

import { withIndexed } from "./ask-program.ts";
import { drawDefinitions, RULES, type NamedDefinitions, type Rule } from "./definitions.ts";

/** Results of search_context that are counted as its first. */
const MAX_SEARCH_RANK = 3;
const SEARCH_LIMIT = 50;

const RESULT = v.object({ content: v.array(v.object({ text: v.string() })) });
/** `path:12-40` in a line that names a result: of find_symbol behind the signature, of search_context at its beginning. */
const PLACE = /(?:^|\s\s)(\S+):(\d+)-(\d+)(?=\s\s|\s\(|\sin\s|$)/;

const { values } = parseArgs({
  options: {
    tree: { type: "string", multiple: true, default: [] },
    rule: { type: "string", default: "used" },
    count: { type: "string", default: "15" },
    misses: { type: "boolean", default: false },
  },
});
const rule = RULES.find((one) => one === values.rule);
if (rule === undefined || values.tree.length === 0) {
  throw new Error(`--tree LANGUAGE=FOLDER, and --rule ${RULES.join(" or ")}`);
}

interface Ranks {
  readonly name: string;
  /** 1 for the first; undefined if the definition is not among the results. */
  readonly symbol: number | undefined;
  readonly search: number | undefined;
}

const all: Ranks[] = [];
console.log(
  `${"".padEnd(24)}names  find_symbol first  search_context first  among ${MAX_SEARCH_RANK}`,
);
for (const given of values.tree) {
  const [language = "", folder = ""] = given.split("=");
  // oxlint-disable-next-line no-await-in-loop -- one tree after the other
  const ranks = await ranksIn(resolve(folder), language, { rule, count: Number(values.count) });
  all.push(...ranks);
  print(`${language} ${basename(folder)}`, ranks);
  for (const { name, symbol, search } of values.misses ? ranks : []) {
    if (symbol !== 1 || search === undefined || search > MAX_SEARCH_RANK) {
      console.log(`  ${name}: find_symbol ${symbol ?? "-"}, search_context ${search ?? "-"}`);
    }
  }
}
print("all", all);

function print(title: string, ranks: readonly Ranks[]): void {
  const share = (count: number): string =>
    `${count} (${((100 * count) / Math.max(1, ranks.length)).toFixed(1)} %)`;
  const first = ranks.filter(({ symbol }) => symbol === 1).length;
  const found = ranks.filter(({ search }) => search === 1).length;
  const near = ranks.filter(({ search = Infinity }) => search <= MAX_SEARCH_RANK).length;
  console.log(
    title.padEnd(24) +
      String(ranks.length).padStart(5) +
      share(first).padStart(19) +
      share(found).padStart(22) +
      share(near).padStart(14),
  );
}

async function ranksIn(
  root: string,
  language: string,
  drawn: { readonly rule: Rule; readonly count: number },
): Promise<readonly Ranks[]> {
  return withIndexed(root, async (call) => {
    const ranks: Ranks[] = [];
    for (const definition of drawDefinitions(root, language, drawn)) {
      const { name } = definition;
      const ask = async (tool: string, input: object): Promise<number | undefined> =>
        rankOf(definition, await call(tool, input));
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const symbol = await ask("find_symbol", { name });
      const input = { query: name, limit: SEARCH_LIMIT, max_tokens: 20_000 };
      // oxlint-disable-next-line no-await-in-loop -- as above
      ranks.push({ name, symbol, search: await ask("search_context", input) });
    }
    return ranks;
  });
}

/** The rank of the first result that has the line of a definition. */
function rankOf({ places }: NamedDefinitions, result: unknown): number | undefined {
  const shown = v
    .parse(RESULT, result)
    .content.flatMap(({ text }) => linesWithPlaces(text))
    .flatMap((line) => {
      const [, path = "", start = "0", end = "0"] = PLACE.exec(line) ?? [];
      return path === "" ? [] : [{ path, start: Number(start), end: Number(end) }];
    });
  const at = shown.findIndex((one) =>
    places.some(({ path, line }) => path === one.path && one.start <= line && line <= one.end),
  );
  return at < 0 ? undefined : at + 1;
}

/** A passage has one place, in its first line; an item without text has a place in every line. */
function linesWithPlaces(text: string): readonly string[] {
  const lines = text.split("\n");
  const [first = ""] = lines;
  if (!PLACE.test(first)) return [];
  return lines.every((line) => PLACE.test(line) || /^More results|^Similar names/.test(line))
    ? lines
    : [first];
}
