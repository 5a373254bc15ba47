// svc indexes a stranger's tree, with a `.git` that points elsewhere or makes its reader wait, and serves it to a token
// for it. The program reads only files in the tree.
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { createTokenFor, output } from "../spec/credential-commands.ts";
import { JSON_BODY, post, startHttp, type HttpServer } from "../spec/http-server.ts";
import { createPlace, createToken, svc, type Place } from "../spec/program.ts";
import { startServer, type Reply } from "../spec/stdio-client.ts";
import { CANARY, commitRounds, git, type Attack } from "./hostile/attack-site.ts";
import { LEADING_OUT } from "./hostile/leading-out.ts";
import { WAITING_ELSEWHERE, WAITING_FOR_EVER } from "./hostile/pipes.ts";
import { promise } from "./promise.ts";

interface Tree {
  readonly attack: Attack;
  readonly root: string;
  readonly namespace: string;
}

interface Served {
  readonly server: HttpServer;
  readonly trees: readonly Tree[];
  readonly victim: string;
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** The trees and the repository that they target, indexed by their owner, and a token for only the trees. */
async function serveHostile(attacks: readonly Attack[]): Promise<Served> {
  const place = createPlace();
  onTestFinished(place.remove);
  const base = realpathSync(place.root);
  const victim = join(base, "victim");
  mkdirSync(victim);
  commitRounds(victim, CANARY);
  const trees = attacks.map((attack, number) => {
    const namespace = `tree-${number}`;
    const root = join(base, namespace);
    mkdirSync(root);
    attack.build({ root, victim, ownRepository: () => commitRounds(root, "own") });
    return { attack, root, namespace };
  });
  await indexAll(place, [{ root: victim, namespace: "victim" }, ...trees]);
  const names = trees.flatMap(({ namespace }) => ["--namespace", namespace]);
  const { token } = await createTokenFor(place, ...names);
  const server = await startHttp(place, "--namespace", "victim");
  onTestFinished(async () => {
    await server.close("SIGKILL");
  });
  const bearer = { ...JSON_BODY, Authorization: `Bearer ${token}` };
  const call: Served["call"] = async (name, input) => {
    const params = { name, arguments: input };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- refused while others have their turn
      const { status, body } = await post<Reply>(`${server.url}/mcp`, bearer, message);
      if (status !== 503) return JSON.stringify(body);
    }
  };
  return { server, trees, victim, call };
}

/** One by the command, as its owner does, the others by a session of the owner. */
async function indexAll(
  place: Place,
  [first, ...others]: readonly Pick<Tree, "root" | "namespace">[],
): Promise<void> {
  const wanted = others.toSpliced(1, 0, first ?? { root: place.root, namespace: "none" });
  const [command, ...rest] = wanted;
  await output(place, "index", command?.root ?? "", "--namespace", command?.namespace ?? "");
  const session = startServer(place, { SERVICE_TOKEN: await createToken(place) });
  await session.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "owner", version: "1" },
  });
  for (const { root, namespace } of rest) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [item] = await session.items("index_source", { source: root, namespace });
    expect([root, item?.text.includes('"done":true')]).toEqual([root, true]);
  }
  expect(await session.close()).toBe(0);
}

type Question = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** All queries that git answers, with names that the author of a tree may know. */
function questions(commit: string): readonly Question[] {
  return [
    ...["HEAD", "HEAD~3", "main~2", "main@{1}", commit].map((since): Question => [
      "list_changes",
      { since },
    ]),
    ...["working", "staged", "HEAD~4", "HEAD~4..HEAD", "HEAD^!", `${commit}^!`].map(
      (target): Question => ["analyze_impact", { target }],
    ),
    ["find_related", { target: "ledger.ts", relation: "changed_together" }],
    ["search_text", { pattern: CANARY.slice(-3), output: "files" }],
    ["index_status", { detail: "skipped" }],
    ["outline", {}],
  ];
}

promise(
  [44],
  "a tree whose .git leads out shows nothing of the repository that it leads to",
  async () => {
    const { call, trees, victim } = await serveHostile(LEADING_OUT);
    const commit = git(victim, "rev-parse", "HEAD~1");
    const leaks: string[] = [];
    let cases = 0;
    for (const { attack, namespace } of trees) {
      for (const [tool, input] of questions(commit)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const answer = await call(tool, { ...input, namespace });
        if (answer.includes(CANARY)) leaks.push(`${attack.name}: ${tool} ${JSON.stringify(input)}`);
        cases += 1;
      }
    }
    expect(leaks).toEqual([]);
    return cases;
  },
);

interface Status {
  readonly namespaces: readonly { readonly sources: readonly { readonly problem?: string }[] }[];
}

function problemIn(status: string): string {
  const { namespaces }: Status = JSON.parse(status);
  return namespaces[0]?.sources[0]?.problem ?? "";
}

promise(
  [44],
  "a linked worktree has its repository where its owner named it, and not what it names itself later",
  async () => {
    const place = createPlace({ "main/ledger.ts": "", "victim/ledger.ts": "" });
    onTestFinished(place.remove);
    const base = realpathSync(place.root);
    const linked = join(base, "linked");
    commitRounds(join(base, "main"), "own");
    git(join(base, "main"), "worktree", "add", "-q", linked);
    commitRounds(join(base, "victim"), CANARY);
    const problem = async (): Promise<string> =>
      problemIn(await output(place, "status", "--namespace", "linked", "--json"));
    await output(place, "index", linked);
    expect(await problem()).toBe("");
    const since = ["changes", "--namespace", "linked", "--since", "HEAD~3"];
    expect(await output(place, ...since)).toContain("round_5_own");
    // A later change of the tree does not change what its owner allowed.
    writeFileSync(join(linked, ".git"), `gitdir: ${join(base, "victim/.git")}\n`);
    expect(await problem()).toMatch(/outside the folder, so svc does not use it.*svc index/);
    expect((await svc(place, "doctor")).stdout).toContain(
      "outside the folder, so svc does not use it",
    );
    // Naming the folder once more does not allow it either, because the repository does not know this worktree.
    for (const command of [since, ["index", linked], since]) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      const { stdout, stderr } = await svc(place, ...command);
      expect(stdout + stderr).not.toContain(CANARY);
      if (command === since) expect(stderr).toContain("outside the folder, so svc does not use it");
    }
    return 6;
  },
);

promise(
  [44],
  "pipes in a repository delay no other call, and a server that gets a signal to end ends",
  async () => {
    const { call, server, trees } = await serveHostile([...WAITING_FOR_EVER, ...WAITING_ELSEWHERE]);
    const queries: readonly Question[] = [
      ["list_changes", { since: "HEAD~3" }],
      ["analyze_impact", { target: "working" }],
      ["find_related", { target: "ledger.ts", relation: "changed_together" }],
    ];
    let cases = 0;
    const left = [...trees];
    const lane = async (): Promise<void> => {
      for (let tree = left.shift(); tree !== undefined; tree = left.shift()) {
        const { attack, namespace } = tree;
        const waiting = queries.map(([tool, input]) => call(tool, { ...input, namespace }));
        const limit = AbortSignal.timeout(60_000);
        // oxlint-disable-next-line no-await-in-loop -- one tree after the other
        const { status } = await fetch(`${server.url}/healthz`, { signal: limit });
        expect({ attack: attack.name, status }).toEqual({ attack: attack.name, status: 200 });
        // oxlint-disable-next-line no-await-in-loop -- as above
        await Promise.all(waiting);
        cases += queries.length;
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    // Questions that git does not answer at once must not delay the exit either.
    const last = trees.map(({ namespace }) =>
      call("list_changes", { since: "main~3", namespace }).catch(() => undefined),
    );
    expect(await server.close()).toBe(0);
    await Promise.all(last);
    return cases;
  },
);
