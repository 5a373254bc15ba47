// The time of the first query to a new server, on an existing index.
import { figure, peer, comparedWith, type Figure } from "./figure.ts";
import { QUESTIONS } from "./generic-questions.ts";
import { call, cpuSince, greet, rest, startServer, threadTimes } from "./processes.ts";
import { timed } from "../timed-child.ts";
import { SVC } from "../workspace.ts";
import type { Extent, IndexedTree } from "./tree.ts";

interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
}

/** `start`: from the start of the process; `question`: from the question, the server being at rest. */
type From = "start" | "question";

export async function firstAnswer(tree: IndexedTree, extent: Extent): Promise<readonly Figure[]> {
  const rounds = extent.isSmoke ? 3 : 5;
  const samples: Record<From, Sample[]> = { start: [], question: [] };
  const bare: Sample[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // They run one after the other on purpose: in parallel they would slow each other down.
    const version = await timed([SVC, "--version"], { env: tree.env });
    const start = await ask(tree, "start");
    const question = await ask(tree, "question");
    // The first round brings the files into memory.
    if (round === 0) continue;
    bare.push(version);
    samples.start.push(start);
    samples.question.push(question);
  }
  return [
    ...both("first answer since the start", samples.start, bare),
    ...both("first answer since the question", samples.question, [], "60 ms for 1 GB"),
  ];
}

async function ask(tree: IndexedTree, start: From): Promise<Sample> {
  let from = performance.now();
  const server = startServer(tree.root, tree.env);
  let before: ReadonlyMap<string, number> = new Map();
  try {
    await greet(server);
    if (start === "question") {
      await rest(server.pid);
      before = threadTimes(server.pid);
      from = performance.now();
    }
    await call(server, "search_context", { query: QUESTIONS[0], limit: 10 });
    return { wallMs: performance.now() - from, cpuMs: cpuSince(server.pid, before) };
  } finally {
    await server.kill();
  }
}

function both(
  name: string,
  samples: readonly Sample[],
  bare: readonly Sample[],
  target?: string,
): readonly Figure[] {
  const walls = samples.map(({ wallMs }) => wallMs);
  const wall = figure(name, walls, { unit: "ms", work: "nothing", target });
  const cpus = samples.flatMap(({ cpuMs }) => cpuMs ?? []);
  const cpu = figure(`${name}, cpu`, cpus, { unit: "cpu ms", work: "nothing" });
  if (bare.length === 0) return [wall, cpu];
  const bareWall = peer(
    "svc --version to its end",
    bare.map(({ wallMs }) => wallMs),
    wall,
  );
  const bareCpu = peer(
    "svc --version",
    bare.flatMap(({ cpuMs }) => cpuMs ?? []),
    cpu,
  );
  return [comparedWith(wall, bareWall), bareWall, comparedWith(cpu, bareCpu), bareCpu];
}
