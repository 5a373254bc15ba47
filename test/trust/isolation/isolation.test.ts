// A caller with some namespaces never learns anything of another: random calls by callers of several kinds, in a world
// that holds canaries, each also made in a world in which the other namespace was never created.
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "vitest";

import { promise, sized, trustSize } from "../promise.ts";
import { ALL_TOOLS, drawCall, DRAWN_TOOLS, type Drawn, type Pool } from "./calls.ts";
import { leaked } from "./canaries.ts";
import { Channels } from "./channels.ts";
import { MINE, SHARED, THEIRS } from "./folders.ts";
import { seeded } from "./random.ts";
import { createWorld, type Asker, type World } from "./world.ts";

/** The same calls each time, and more with more time. */
const SEED = trustSize() === "soak" ? `isolation ${Date.now()}` : "isolation 1";
const INDEXING = /state\W+indexing/;
const CURSOR = /(cursor\W{1,8})([\w-]{20,})/g;
/** The share of the calls without side effects that are also made in the other world. */
const COMPARED = sized({ quick: 0.6, full: 0.35 });
const CHANGING = new Set(["set_monitor", "index_source"]);

promise(
  [28, 29],
  "a credential for some namespaces learns nothing about another, not even whether it exists",
  async () => {
    expect(DRAWN_TOOLS.toSorted()).toEqual(ALL_TOOLS.toSorted());
    const full = await createWorld({ hasTheirs: true });
    const bare = await createWorld({ hasTheirs: false });
    const [channels, twin] = [new Channels(full), new Channels(bare)];
    const random = seeded(SEED);
    const pool: Pool = { own: [], theirs: [], roots: full.roots };
    const { question: query } = THEIRS.canaries;
    const monitor = { action: "create", name: query, query };
    const set = { tool: "set_monitor", input: monitor, wantsProgress: false };
    await channels.ask("stdio", askerOf(full, { asker: "theirs" }), set);
    const calls = sized({ quick: 1500, full: 100_000 });
    let seen = 0;
    for (let call = 1; call <= calls; call += 1) {
      const drawn = drawCall(random, pool);
      const where = `${SEED}, call ${call}: ${JSON.stringify(drawn)}`;
      // A caller with access queries first: its cached answer must not reach others.
      if (random.chance(0.15) && (await askAsTheirs(full, channels, { drawn, pool }))) seen += 1;
      const answer = await channels.ask(drawn.channel, askerOf(full, drawn), drawn.call);
      const leaks = leakedTo(askerOf(full, drawn), { answer, drawn });
      expect({ where, leaks }).toEqual({ where, leaks: [] });
      const isComparable = !pool.own.some((cursor) => where.includes(cursor));
      keepCursors(answer, pool.own);
      if (!CHANGING.has(drawn.call.tool) && !(isComparable && random.chance(COMPARED))) continue;
      const { call: same } = inWorld(drawn, full, bare);
      const again = (): Promise<string> =>
        channels.ask(drawn.channel, askerOf(full, drawn), drawn.call);
      const ask = (): Promise<string> => twin.ask(drawn.channel, askerOf(bare, drawn), same);
      const [one, other] = [
        await afterIndexing(drawn, answer, again),
        await afterIndexing(drawn, await ask(), ask),
      ];
      const [actual, wanted] = [comparable(one, full), comparable(other, bare)];
      expect({ where, answer: actual }).toEqual({ where, answer: wanted });
    }
    // The canaries can be found.
    expect(seen).toBeGreaterThan(calls / 100);
    return calls;
  },
);

function leakedTo(
  { sees }: Asker,
  { answer, drawn }: { readonly answer: string; readonly drawn: Drawn },
): readonly string[] {
  const hidden = [MINE, SHARED, THEIRS].filter((one) => !sees.includes(one));
  const canaries = hidden.map((one) => one.canaries);
  return leaked(canaries, { answer, request: JSON.stringify(drawn) });
}

function askerOf({ askers }: World, { asker }: Pick<Drawn, "asker">) {
  const found = askers[asker];
  if (found === undefined) throw new Error(`there is no ${asker}`);
  return found;
}

/** The same call by a caller with the third namespace. Returns whether its canaries were in the answer. */
async function askAsTheirs(
  world: World,
  channels: Channels,
  { drawn, pool }: { drawn: Drawn; pool: Pool },
): Promise<boolean> {
  const { channel, call } = drawn;
  const asker = channel === "rest" ? "theirs-key" : "theirs";
  const { namespace: _named, ...input } = call.input;
  const answer = await channels.ask(channel, askerOf(world, { asker }), { ...call, input });
  keepCursors(answer, pool.theirs);
  const request = JSON.stringify(input);
  return leaked([THEIRS.canaries], { answer, request }).length > 0;
}

function keepCursors(answer: string, kept: string[]): void {
  for (const [, , cursor = ""] of answer.matchAll(CURSOR)) {
    kept.push(cursor);
    if (kept.length > 100) kept.shift();
  }
}

/** Its own index may be under a background check in one of the worlds: the call is repeated after that. */
async function afterIndexing(
  { call: { tool } }: Drawn,
  answer: string,
  ask: () => Promise<string>,
): Promise<string> {
  if (tool !== "index_status") return answer;
  let latest = answer;
  while (INDEXING.test(latest)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    latest = await sleep(20).then(ask);
  }
  return latest;
}

/** With the folders of the other world. */
function inWorld(drawn: Drawn, { base }: World, other: World): Drawn {
  const moved: Drawn = JSON.parse(JSON.stringify(drawn).replaceAll(base, other.base));
  return moved;
}

/** Without the differences between calls, and without the name of the world. */
function comparable(answer: string, { base }: World): string {
  return (
    answer
      .replaceAll(base, "BASE")
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
      .replaceAll(/\n(?:Date|Content-Length)\n[^\n]*/g, "")
      .replaceAll(/chg_[\w-]+/g, "CHANGES")
      .replaceAll(CURSOR, (_whole, before: string, cursor: string) => before + placeIn(cursor))
      .replaceAll(/(\\*"(?:took_ms|ms)\\*":)[\d.]+/g, "$1MS")
      // The later end of two runs.
      .replaceAll(/(\\*"by\\*":\\*")(?:index|background)/g, "$1")
      .replaceAll(/"id":"auto-\d+"/g, "ID")
  );
}

/** The content of a cursor, without the seal, which contains the id of an index. */
function placeIn(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  return text.slice(text.indexOf("."));
}
