// The matrix of isolation.test.ts, with trees of strangers as sources: the roots of a caller's own namespaces
// point into the repository that it may not see, in one way after the other.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { request } from "../../helpers/project.ts";
import { commitRounds, git } from "../hostile/attack-site.ts";
import { LEADING_OUT } from "../hostile/leading-out.ts";
import { promise, sized, trustSize } from "../promise.ts";
import { drawCall, type Drawn, type Pool } from "./calls.ts";
import { leaked } from "./canaries.ts";
import { Channels } from "./channels.ts";
import { MINE, SHARED, THEIRS } from "./folders.ts";
import { seeded, type Random } from "./random.ts";
import { createWorld, type World } from "./world.ts";

const SEED = trustSize() === "soak" ? `hostile ${Date.now()}` : "hostile 1";
const { canaries } = THEIRS;
/** The calls that git answers. */
const GIT_SHARE = 0.3;

promise(
  [28, 44],
  "who may see some namespaces learns nothing of another that their own trees lead to",
  async () => {
    const world = await createWorld({ hasTheirs: true });
    const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-hostile-")));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const victim = join(base, "victim");
    mkdirSync(victim);
    commitRounds(victim, canaries.symbol);
    const channels = new Channels(world);
    const random = seeded(SEED);
    const pool: Pool = { own: [], theirs: [], roots: world.roots };
    const calls = sized({ quick: 600, full: 10_000, soak: 50_000 });
    const commits = ["HEAD", "HEAD~1"].map((name) => git(victim, "rev-parse", name));
    const leaks: string[] = [];
    let attack = "";
    for (let call = 0; call < calls; call += 1) {
      if (call % Math.ceil(calls / LEADING_OUT.length) === 0) {
        // oxlint-disable-next-line no-await-in-loop -- one tree after the other
        attack = await plantAttack(world, victim, call / Math.ceil(calls / LEADING_OUT.length));
      }
      const drawn = random.chance(GIT_SHARE)
        ? drawGitCall(random, commits)
        : drawCall(random, pool);
      const asker = world.askers[drawn.asker];
      if (asker === undefined) throw new Error(`there is no ${drawn.asker}`);
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      const answer = await channels.ask(drawn.channel, asker, drawn.call);
      const hidden = [MINE, SHARED, THEIRS].filter((one) => !asker.sees.includes(one));
      const found = leaked(
        hidden.map((one) => one.canaries),
        { answer, request: JSON.stringify(drawn) },
      );
      if (found.length > 0) leaks.push(`${attack}, call ${call}: ${JSON.stringify(drawn)}`);
    }
    expect(leaks).toEqual([]);
    return calls;
  },
);

/** Puts the next attack into the trees of both namespaces that callers have. */
async function plantAttack(world: World, victim: string, number: number): Promise<string> {
  const attack = LEADING_OUT[number];
  if (attack === undefined) throw new Error(`there is no attack ${number}`);
  for (const { name } of [MINE, SHARED]) {
    const root = world.roots[name] ?? "";
    for (const left of [".git", ".GIT", ".git ", "inner", "middle", "fake", "nested", "module"]) {
      rmSync(join(root, left), { recursive: true, force: true });
    }
    attack.build({ root, victim, ownRepository: () => commitRounds(root, "own") });
    // oxlint-disable-next-line no-await-in-loop -- in order
    await world.local.index({ ...request(), namespace: name, source: root });
  }
  return attack.name;
}

function drawGitCall(random: Random, commits: readonly string[]): Drawn {
  const name = random.pick(["HEAD", "HEAD~1", "HEAD~3", "main~2", "main@{1}", ...commits]);
  const change = random.pick(["working", "staged", name, `${name}^!`, `${name}~1..${name}`]);
  const [tool, input] = random.pick([
    ["list_changes", { since: name }],
    ["analyze_impact", { target: change }],
    ["find_related", { target: "src/ledger.ts", relation: "changed_together" }],
    ["index_status", { detail: random.pick(["summary", "skipped"]) }],
  ] as const);
  const asker = random.pick(["mine", "mine-read-only", "two", "gone"]);
  const namespace = random.pick(asker === "two" ? ["mine", "shared"] : ["mine"]);
  const channel = random.pick(["http", "http-modern", "stdio", "stdio-modern"] as const);
  return { channel, asker, call: { tool, input: { ...input, namespace }, wantsProgress: false } };
}
