import { chmodSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { askAll, type Answers } from "../../../bench/quality/ask.ts";
import type { Corpus } from "../../../bench/quality/questions.ts";
import { rowOf } from "../../../bench/quality/rows.ts";
import type { Place, Task } from "../../../bench/quality/suites.ts";
import { svcProgram } from "../../helpers/svc-program.ts";
import { plant, tree } from "../../helpers/tree.ts";

const TIMEOUT_MS = 60_000;

const place = tree({
  "corpora/shop/src/cart.ts":
    "/** Adds an article to the cart. */\nexport function addArticle(cart, article) {\n  cart.push(article);\n}\n",
  "corpora/shop/src/invoice.ts":
    "/** Prints the invoice of an order. */\nexport function printInvoice(order) {\n  return order.total;\n}\n",
  "corpora/shop/docs/shipping.md": "# Shipping\n\nParcels leave the warehouse at noon.\n",
  svc: `#!/bin/sh\nexec ${svcProgram()
    .map((word) => `"${word}"`)
    .join(" ")} "$@"\n`,
});
afterAll(place.dispose);
chmodSync(join(place.path, "svc"), 0o755);

const lines: string[] = [];
const options = {
  svc: join(place.path, "svc"),
  store: { folder: join(place.path, "corpora") },
  jobs: 2,
  report: (line: string) => void lines.push(line),
};
const shop: Corpus = {
  id: "shop",
  kind: "git",
  github: "own/shop",
  commit: "1",
  language: "typescript",
  root: "src",
};
const whole: Place = { corpus: shop, root: "" };
const sources: Place = { corpus: shop, root: "src" };
const gone: Place = { corpus: { ...shop, id: "gone" }, root: "" };

function task(at: Place, query: string, path: string): Task {
  const about = { id: query, suite: "s", corpus: "shop", lang: "typescript", type: "t", query };
  return { suite: "s", place: at, question: { ...about, gold: [{ path, start: 2, end: 2 }] } };
}

describe("questions", () => {
  const parcels = task(whole, "when do parcels leave", "docs/shipping.md");
  const article = task(sources, "add an article to the cart", "src/cart.ts");
  const short = task(sources, "x", "src/cart.ts");
  let answers: Answers;
  beforeAll(async () => {
    const all = [parcels, article, short, { ...parcels, place: gone }];
    answers = await askAll(
      all.map(({ place: at, question: { query } }) => ({ place: at, query })),
      options,
    );
  }, TIMEOUT_MS);

  function rowFor(one: Task) {
    const answer = answers.get({ place: one.place, query: one.question.query });
    if (answer === undefined) throw new Error("there is no answer");
    return rowOf(one, answer);
  }

  test("are answered at their place, with paths from the root of the corpus", () => {
    expect(rowFor(parcels)).toMatchObject({ repo: "own/shop", ndcg10: 1, error: undefined });
    expect(rowFor(article)).toMatchObject({ ndcg10: 1, span10: 1, hit1: 1 });
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^\[1\/3\] shop: 3 files, index [\d.]+ s, 1 questions$/),
      expect.stringMatching(/^\[2\/3\] shop:src: 2 files, index [\d.]+ s, 2 questions$/),
    ]);
  });

  test("that svc refuses score nothing and tell why", () => {
    expect(rowFor(short)).toMatchObject({ ndcg10: 0, error: expect.stringMatching(/3 to 10,000/) });
  });

  test("at a place that is not there have no answer, and the place is named", () => {
    expect(answers.get({ place: gone, query: parcels.question.query })).toBeUndefined();
    expect(answers.failures).toEqual([expect.stringMatching(/^gone: /)]);
  });
});

test(
  "an executable that fails is a failure of the place",
  async () => {
    plant(place.path, { broken: "#!/bin/sh\necho no disk >&2\nexit 2\n" });
    chmodSync(join(place.path, "broken"), 0o755);
    const svc = join(place.path, "broken");
    const { failures } = await askAll([{ place: whole, query: "what" }], { ...options, svc });
    expect(failures).toEqual([expect.stringMatching(/^shop: [\s\S]*no disk/)]);
  },
  TIMEOUT_MS,
);
