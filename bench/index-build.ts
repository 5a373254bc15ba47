// The cost of indexing a project from nothing, and again without changes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { PLAIN_SCAN, plainScan } from "./reference.ts";
import { comparedInPairs, comparedWith, median, type Report, type Row } from "./report.ts";
import { timed, type Usage } from "./timed-child.ts";
import { filesBelow, SVC, totalBytes, type Workspace } from "./workspace.ts";

const SCANS = 5;

export async function indexBuild(workspace: Workspace, isSmoke: boolean): Promise<Report> {
  const { root, files, sizeBytes } = workspace;
  const first: Usage[] = [];
  const again: Usage[] = [];
  const shares: number[] = [];
  // Scans before and after each run: the speed of a shared machine changes from one second to the next, and a scan
  // takes a hundredth of the time of a build.
  const scans = [plainScan(files, SCANS)];
  /** Times of the scans of each round, starting before its first build. */
  const around: number[] = [];
  for (let round = 0; round < (isSmoke ? 2 : 5); round += 1) {
    const env = workspace.freshEnv();
    const run = async (): Promise<Usage> => {
      const usage = await timed([SVC, "index", root], { env });
      scans.push(plainScan(files, SCANS));
      return usage;
    };
    const from = scans.length - 1;
    first.push(await run());
    again.push(await run(), await run(), await run());
    around.push(median(scans.slice(from).flatMap(({ samples }) => samples)));
    const kept = totalBytes(filesBelow(join(env["SERVICE_HOME"] ?? "", "namespaces")));
    shares.push((100 * kept) / sizeBytes);
  }
  const scan: Row = {
    name: PLAIN_SCAN,
    unit: "cpu ms",
    samples: scans.flatMap(({ samples }) => samples),
  };
  const build = comparedInPairs(
    { name: "from nothing", unit: "cpu ms", samples: first.map(({ cpuMs }) => cpuMs) },
    { ...scan, samples: around },
  );
  const perThousand = build.samples.map((cpuMs) => cpuMs / files.length);
  const speeds = first.map(({ wallMs }) => sizeBytes / 1000 / wallMs);
  const cpuAgain = again.map(({ cpuMs }) => cpuMs);
  const wallAgain = again.map(({ wallMs }) => wallMs);
  return {
    bench: "index-build",
    corpus: workspace.corpus,
    rows: [
      scan,
      build,
      { name: "from nothing, 1,000 files", unit: "cpu s", samples: perThousand },
      { name: "from nothing, speed", unit: "MB/s", samples: speeds },
      comparedWith({ name: "nothing changed", unit: "cpu ms", samples: cpuAgain }, build),
      { name: "nothing changed, to the end", unit: "ms", samples: wallAgain },
      {
        name: "size of the index",
        unit: "%",
        samples: shares,
        ratio: { value: median(shares) / 100, to: "size of the sources" },
      },
      ...memory(workspace),
    ],
    facts: [],
  };
}

/**
 * Peak memory of the run that built the index of the workspace: checking memory costs processor time, which is not
 * measured there.
 */
function memory({ indexPeakBytes: peak }: Workspace): readonly Row[] {
  const script = "process.resourceUsage().maxRSS";
  const bare = spawnSync(process.execPath, ["-p", script], { encoding: "utf8" });
  const node: Row = {
    name: "bare node, peak memory",
    unit: "MB",
    samples: [Number(bare.stdout) / 1024],
  };
  const samples = peak === undefined ? [] : [peak / 1024 / 1024];
  return [node, comparedWith({ name: "from nothing, peak memory", unit: "MB", samples }, node)];
}
