// Checks whether a server answers while it builds its first index. One client pings at fixed times, even without an
// answer, so that every ping during a delay measures it; two others send one query at a time at fixed times.
import { setTimeout as wait } from "node:timers/promises";

import { dataDirectoryOf, withToken } from "../workspace.ts";
import { figure, figure95, type Figure } from "./figure.ts";
import { QUESTIONS, WITH_LITERAL } from "./generic-questions.ts";
import { call, greet, startServer, type Server } from "./processes.ts";
import { hasWords, isComplete } from "./progress.ts";
import type { Extent, Tree } from "./tree.ts";

const EVERY_MS = 50;
const LOOK_EVERY_MS = 500;
const TARGET = "50 ms";

type Ask = (server: Server, round: number) => Promise<unknown>;

/** One kind of call, repeated. */
class Lane {
  readonly #server: Server;
  readonly #ask: Ask;
  readonly #isPatient: boolean;
  readonly #started = performance.now();
  readonly #waiting = new Set<Promise<void>>();
  #round = 0;
  #failure: Error | undefined;
  /** From the start of the server; undefined before the first answer. */
  firstMs: number | undefined;
  /** Times of the calls after the first answer. */
  readonly times: number[] = [];

  /** `isPatient`: a call waits for the previous answer. */
  constructor(server: Server, ask: Ask, { isPatient }: { readonly isPatient: boolean }) {
    this.#server = server;
    this.#ask = ask;
    this.#isPatient = isPatient;
  }

  tick(): void {
    if (this.#isPatient && this.#waiting.size > 0) return;
    const one = this.#askOnce(this.firstMs !== undefined);
    this.#waiting.add(one);
    void one.finally(() => this.#waiting.delete(one));
  }

  /** Waits for the outstanding answers; rejects if a call has failed. */
  async end(): Promise<void> {
    await Promise.all(this.#waiting);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #askOnce(isCounted: boolean): Promise<void> {
    const from = performance.now();
    this.#round += 1;
    try {
      await this.#ask(this.#server, this.#round);
      if (isCounted) this.times.push(performance.now() - from);
      this.firstMs ??= performance.now() - this.#started;
    } catch (thrown) {
      // Until there is an index, a tool reports that; afterwards it must answer.
      if (isCounted && thrown instanceof Error) this.#failure ??= thrown;
    }
  }
}

export async function whileBuilding(tree: Tree, { hasSyntax }: Extent): Promise<readonly Figure[]> {
  const env = withToken(tree.freshEnv());
  const server = startServer(tree.root, env);
  const ping = new Lane(server, ({ client }) => client.request("ping"), { isPatient: false });
  const words = new Lane(
    server,
    (to, round) => call(to, "search_context", { query: pick(QUESTIONS, round), limit: 10 }),
    { isPatient: true },
  );
  const text = new Lane(
    server,
    (to, round) =>
      call(to, "search_text", { pattern: pick(WITH_LITERAL, round), regex: true, limit: 50 }),
    { isPatient: true },
  );
  const lanes = [ping, words, text];
  const isOver = (): Promise<boolean> =>
    (hasSyntax ? isComplete : hasWords)(dataDirectoryOf(env), tree.root);
  try {
    await greet(server);
    let lookAt = performance.now() + LOOK_EVERY_MS;
    for (;;) {
      for (const lane of lanes) lane.tick();
      await wait(EVERY_MS);
      if (performance.now() < lookAt) continue;
      if (await isOver()) break;
      lookAt = performance.now() + LOOK_EVERY_MS;
    }
    await Promise.all(lanes.map((lane) => lane.end()));
  } finally {
    await server.kill();
  }
  return [
    first("new project, first search_text", text),
    first("new project, first search_context", words),
    calls("while indexing, ping, p95", ping),
    calls("while indexing, search_context, p95", words),
    calls("while indexing, search_text, p95", text),
  ];
}

function first(name: string, { firstMs }: Lane): Figure {
  return figure(name, firstMs === undefined ? [] : [firstMs], { unit: "ms", work: "files" });
}

function calls(name: string, { times }: Lane): Figure {
  return figure95(name, times, { unit: "ms", work: "nothing", target: TARGET });
}

function pick(list: readonly string[], round: number): string {
  return list[round % list.length] ?? "";
}
