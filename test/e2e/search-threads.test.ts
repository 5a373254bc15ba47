// A server under load searches in threads; its answers stay the same.

import { availableParallelism } from "node:os";

import { expect, test } from "vitest";

import { servedHere } from "../spec/commands-here.ts";

interface Found {
  readonly results: readonly unknown[];
}

const WORDS = ["ferry", "tide", "harbour", "anchor"];
/** Different questions, so that no answer comes from the cache. */
const QUESTIONS = WORDS.flatMap((one) =>
  WORDS.map((other) => `how does the ${one} reach the ${other}`),
);

const served = servedHere(
  Object.fromEntries(
    WORDS.map((word, at) => [
      `src/${word}.ts`,
      `/** Moves the ${word} to the ${WORDS[(at + 1) % WORDS.length]}. */\nexport function ${word}(): number {\n  return ${at};\n}\n`,
    ]),
  ),
);

async function answersTo(questions: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    questions.map(async (query) => {
      const { status, body } = await served().search<Found>({ query });
      expect(status).toBe(200);
      return JSON.stringify(body.results);
    }),
  );
}

test("under load svc serve starts search threads, and each question keeps its answer", async () => {
  const quiet: string[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other is no load
  for (const question of QUESTIONS) quiet.push(...(await answersTo([question])));
  const { server } = served();
  let round = 0;
  await expect
    .poll(
      async () => {
        round += 1;
        // Another spelling of the same questions.
        const loud = await answersTo(QUESTIONS.map((question) => question + " ".repeat(round)));
        expect(loud).toEqual(quiet);
        return server.stderr();
      },
      { timeout: 25_000, interval: 1 },
    )
    // With one processor there is none.
    .toContain(availableParallelism() > 1 ? "a search thread is ready" : "");
  // The thread answers some of these.
  for (let more = 0; more < 3; more += 1) {
    round += 1;
    const spaces = " ".repeat(round);
    // oxlint-disable-next-line no-await-in-loop -- as much at once as the server takes
    expect(await answersTo(QUESTIONS.map((question) => question + spaces))).toEqual(quiet);
  }
  expect(server.stderr()).not.toContain("a search thread failed");
});
