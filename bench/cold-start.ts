// The cost of each server start for an editor: until the reply to `initialize`, and until the list of tools. It
// alternates with a Node that does nothing, for comparison.
import { indexFilesOpened } from "./opened-files.ts";
import { comparedInPairs, type Report, type Row } from "./report.ts";
import { timed, type LineClient, type Usage } from "./timed-child.ts";
import { SVC, type Workspace } from "./workspace.ts";

const TARGET = 1.5;
const ROUNDS = 15;

interface Sample extends Usage {
  /** Milliseconds from the start of the process until the awaited reply. */
  readonly replyMs: number;
}

const KINDS = ["bare node", "svc --version", "initialize", "tools/list"] as const;
type Kind = (typeof KINDS)[number];

export async function coldStart(workspace: Workspace): Promise<Report> {
  const samples = new Map<Kind, Sample[]>(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of KINDS) {
      // They run one after the other on purpose: in parallel they would slow each other down.
      const sample = await start(kind, workspace);
      // The first run of each brings the files into memory.
      if (round > 0) samples.get(kind)?.push(sample);
    }
  }
  return {
    bench: "cold-start",
    corpus: `${workspace.corpus}, indexed`,
    rows: rowsOf(samples),
    facts: await indexFilesOpened(workspace),
  };
}

async function start(kind: Kind, { root, env }: Workspace): Promise<Sample> {
  const from = performance.now();
  let replyMs = Number.NaN;
  const talk = async (client: LineClient): Promise<void> => {
    await client.request("initialize", { clientInfo: { name: "bench" } });
    if (kind === "tools/list") await client.request("tools/list");
    replyMs = performance.now() - from;
  };
  if (kind === "bare node")
    return { ...(await timed([process.execPath, "-e", "0"], { env })), replyMs };
  if (kind === "svc --version") return { ...(await timed([SVC, "--version"], { env })), replyMs };
  const usage = await timed([SVC, "mcp", "--stdio", "--root", root], { env, talk });
  return { ...usage, replyMs };
}

function rowsOf(samples: ReadonlyMap<Kind, readonly Sample[]>): readonly Row[] {
  const of = (kind: Kind, key: keyof Sample): number[] =>
    (samples.get(kind) ?? []).map((sample) => sample[key]);
  const nodeCpu: Row = { name: "bare node", unit: "cpu ms", samples: of("bare node", "cpuMs") };
  const nodeWall: Row = {
    name: "bare node, to the end",
    unit: "ms",
    samples: of("bare node", "wallMs"),
  };
  const cpu = (kind: Kind): Row =>
    comparedInPairs({ name: kind, unit: "cpu ms", samples: of(kind, "cpuMs") }, nodeCpu);
  const reply = (kind: Kind): Row =>
    comparedInPairs(
      { name: `${kind}, to the reply`, unit: "ms", samples: of(kind, "replyMs") },
      nodeWall,
    );
  return [
    nodeCpu,
    cpu("svc --version"),
    { ...cpu("initialize"), target: `up to ${TARGET}` },
    cpu("tools/list"),
    nodeWall,
    reply("initialize"),
    reply("tools/list"),
  ];
}
