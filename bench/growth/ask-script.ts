// node ask-script.ts JSON: queries an index in this process and reports the processor time of each call, in
// milliseconds: a list for each query. A server does the same, but also checks for changes.
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import type { TextSearchRequest } from "../../src/engine/api/search-text.ts";
import { searchText } from "../../src/engine/text-search/search-text.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rank } from "../../src/search/rank.ts";
import { localOwner } from "../../src/sources/principal.ts";
import type { Source } from "../../src/sources/registry/records.ts";
import { repeated } from "./figure.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { textsOf } from "../../test/helpers/texts.ts";

export interface AskInput {
  readonly kind: "words" | "regex";
  readonly dataDirectory: string;
  readonly namespace: string;
  readonly sources: readonly Source[];
  readonly questions: readonly string[];
  /** Counted rounds; one more warms up. */
  readonly rounds: number;
  readonly limit: number;
}

/** A query that takes longer than this is not repeated. */
const MAX_MS = 10_000;

const text = process.argv[2];
if (text !== undefined) console.log(JSON.stringify(await latencies(JSON.parse(text))));

async function latencies(input: AskInput): Promise<readonly (readonly number[])[]> {
  const backend = new EmbeddedBackend(input.dataDirectory);
  const ask = input.kind === "words" ? wordAsker(input) : textAsker(input);
  const run = async (question: string): Promise<number> => {
    const before = process.cpuUsage();
    const reader = await backend.reader(authorized(input.namespace));
    if (reader === undefined) throw new Error("there is no index");
    await ask(reader, question);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const limits = { times: input.rounds, withinMs: MAX_MS };
  // Each query runs once before the count begins, because a query compiles code that the others use.
  for (const question of input.questions) await run(question);
  const times: (readonly number[])[] = [];
  for (const question of input.questions) times.push(await repeated(limits, () => run(question)));
  backend.close();
  return times;
}

type Ask = (reader: IndexReader, question: string) => Promise<unknown>;

function wordAsker({ limit }: AskInput): Ask {
  const tokenizer = createTokenizer();
  return (reader, question) => rank(reader, parseQuery(question, tokenizer), { limit });
}

function textAsker({ sources, limit }: AskInput): Ask {
  const request: Omit<TextSearchRequest, "pattern"> = {
    principal: localOwner(),
    signal: new AbortController().signal,
    isRegex: true,
    caseSensitive: true,
    wholeWord: false,
    contextLines: 0,
    output: "matches",
    limit,
  };
  return (reader, pattern) =>
    searchText({ reader, texts: textsOf(sources) }, { ...request, pattern });
}
