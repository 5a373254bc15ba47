// Asks two indexes of one tree the same random questions.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Engine } from "../../src/engine/api/engine.ts";
import type { Principal } from "../../src/sources/principal.ts";
import type { Random } from "../quality/random.ts";
import { EXACT_TEXT } from "./questions.ts";

interface Compared {
  readonly engines: readonly [Engine, Engine];
  readonly principal: Principal;
  readonly namespace: string;
  readonly folder: string;
  readonly paths: readonly string[];
  readonly random: Random;
}

/**
 * The number of equal answers, by kind of question; for searches, the number with the same passages and with the same
 * first one.
 */
export interface SameAnswers {
  asked: number;
  text: number;
  symbols: number;
  callers: number;
  passages: number;
  firstPassage: number;
}

export async function sameAnswers(
  { engines, principal, namespace, folder, paths, random }: Compared,
  count: number,
): Promise<SameAnswers> {
  const same = { asked: 0, text: 0, symbols: 0, callers: 0, passages: 0, firstPassage: 0 };
  const common = { principal, namespace, limit: 50, signal: new AbortController().signal };
  while (same.asked < count) {
    const path = paths[Math.floor(random() * paths.length)] ?? "";
    const lines = readFileSync(join(folder, path), "utf8")
      .split("\n")
      .filter((line) => /[A-Za-z]{4}/.test(line));
    const words = lines[Math.floor(random() * lines.length)]?.trim().slice(0, 60).trim() ?? "";
    const [name] = /[A-Za-z]\w{4,}/.exec(words) ?? [];
    if (name === undefined || words.length < 12) continue;
    const answers = async (engine: Engine): Promise<Readonly<Record<string, string>>> => {
      const text = await engine.searchText({
        ...common,
        pattern: words,
        ...EXACT_TEXT,
      });
      const symbols = await engine.findSymbols({ ...common, name });
      const callers = await engine
        .references({ ...common, symbol: name, relation: "callers", depth: 1 })
        .then(({ references }) => references.map(({ path: at, line }) => `${at}:${line}`))
        .catch(String);
      const found = await engine.search({ ...common, query: words, limit: 10, maxTokens: 2000 });
      const passages = found.passages.map((one) => `${one.path}:${one.startLine}-${one.endLine}`);
      return {
        text: JSON.stringify(text.matches.map(({ path: at, line }) => `${at}:${line}`)),
        symbols: JSON.stringify(symbols.symbols.map(({ path: at, startLine }) => [at, startLine])),
        callers: JSON.stringify(callers),
        passages: JSON.stringify(passages),
        firstPassage: passages[0] ?? "",
      };
    };
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const [one, other] = [await answers(engines[0]), await answers(engines[1])];
    same.asked += 1;
    for (const kind of ["text", "symbols", "callers", "passages", "firstPassage"] as const)
      if (one[kind] === other[kind]) same[kind] += 1;
  }
  return same;
}
