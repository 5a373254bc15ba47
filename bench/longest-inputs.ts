// The work for the longest untrusted inputs, as a multiple of the work for a quarter of each. Linear work takes 4 times
// as long, quadratic work 16 times.
import { createTokenizer } from "../src/parse/tokenizer.ts";
import { parseOrder } from "../src/providers/rerank-response.ts";
import { parseQuery } from "../src/search/parse-query.ts";
import { comparedWith, type Report, type Row } from "./report.ts";

const MAX_QUERY_CHARS = 10_000;
const MAX_RESPONSE_CHARS = 250_000;
/** A sample repeats the work for this long, because the processor clock is coarse. */
const SAMPLE_MS = 5;

const QUERIES: Readonly<Record<string, string>> = {
  "one long word": "a",
  dashes: "a-",
  dots: "a.",
  slashes: "/",
  words: "ab ",
};

export async function longestInputs(_workspace: unknown, isSmoke: boolean): Promise<Report> {
  const tokenizer = createTokenizer();
  const samples = isSmoke ? 5 : 40;
  const queries = Object.entries({
    ...QUERIES,
    "different words": Array.from({ length: 1600 }, (_, at) => `w${at}x`).join(" "),
  }).flatMap(([name, part]) =>
    growth(`query of ${name}`, part, {
      length: MAX_QUERY_CHARS,
      samples,
      work: (text) => parseQuery(text, tokenizer),
    }),
  );
  const responses = growth("response of a model", '"order": [', {
    length: MAX_RESPONSE_CHARS,
    samples,
    work: orderIn,
  });
  return {
    bench: "longest-inputs",
    corpus: `queries of ${MAX_QUERY_CHARS} characters, responses of ${MAX_RESPONSE_CHARS}`,
    rows: [...queries, ...responses],
    facts: [],
  };
}

interface Growth {
  readonly length: number;
  readonly samples: number;
  readonly work: (text: string) => unknown;
}

function growth(name: string, part: string, { length, samples, work }: Growth): readonly Row[] {
  const [quarter, whole] = [length / 4, length].map((characters) =>
    part.repeat(Math.ceil(characters / part.length)).slice(0, characters),
  );
  const [few, all]: [number[], number[]] = [[], []];
  // They alternate, so that a change of the machine's speed affects both. The first run of each compiles.
  for (let round = 0; round <= samples; round += 1) {
    const [one, other] = [cpuMsOf(work, quarter ?? ""), cpuMsOf(work, whole ?? "")];
    if (round === 0) continue;
    few.push(one);
    all.push(other);
  }
  const reference = { name: `${name}, a quarter`, unit: "cpu ms", samples: few };
  return [reference, comparedWith({ name, unit: "cpu ms", samples: all }, reference)];
}

/** Processor milliseconds of this thread for doing the work once. */
function cpuMsOf(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= SAMPLE_MS) return ms / times;
  }
}

function orderIn(content: string): readonly number[] | undefined {
  try {
    return parseOrder({ choices: [{ message: { content } }] }, 4);
  } catch {
    // The text contains no order.
    return undefined;
  }
}
