import { readFileSync } from "node:fs";

import { inspectIndex } from "../index/embedded/inspect.ts";
import { readReport } from "../backend/leases/file-leases.ts";
import { parseFreshness } from "../engine/watching/heartbeat.ts";
import type { Check } from "./check-context.ts";
import { createReporter } from "./finding.ts";
import type { ListedNamespace } from "./inventory.ts";

const CHECK = "watch limits";
const { ok, warning } = createReporter(CHECK);

/** The second is the limit of a container or another user namespace. The lower limit applies. */
const LIMITS = ["fs.inotify.max_user_watches", "user.max_inotify_watches"];
/** Allowance for other programs, such as editors. */
const OTHER_PROGRAMS_FACTOR = 1.25;
const USUAL_LIMIT = 524_288;

/** Every folder of the sources can be watched. Linux only: other systems watch whole trees. */
export const checkWatchLimits: Check = {
  name: CHECK,
  async run(_examination, { namespaces }) {
    const limits = LIMITS.map((name) => ({ name, max: limitOf(name) }));
    const lowest = limits.toSorted((one, other) => one.max - other.max)[0];
    if (lowest === undefined || lowest.max === Infinity) return [];
    const required = await Promise.all(namespaces.map(foldersOf));
    const requiredCount = required.reduce((sum, folders) => sum + folders, 0);
    const what = `the sources have ${requiredCount} folders to watch, and ${lowest.name} is ${lowest.max}`;
    if (requiredCount * OTHER_PROGRAMS_FACTOR <= lowest.max) return [ok(what)];
    let enough = USUAL_LIMIT;
    while (enough < requiredCount * 2) enough *= 2;
    const fix = `Run \`sudo sysctl ${lowest.name}=${enough}\`, and add it to /etc/sysctl.d to keep it. Until then files are checked periodically.`;
    return [warning(what, fix)];
  },
};

function limitOf(name: string): number {
  try {
    return Number(readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "latin1"));
  } catch {
    return Infinity;
  }
}

/** The watcher's count of folders; without a watcher, the folders of indexed files, which are slightly fewer. */
async function foldersOf({ layout }: ListedNamespace): Promise<number> {
  const { folders } = parseFreshness(readReport(layout));
  if (folders > 0) return folders;
  try {
    return await inspectIndex(layout, async ({ paths }) => folderCount(paths));
  } catch {
    // Another check reports the problem.
    return 0;
  }
}

function folderCount(paths: readonly string[]): number {
  const folders = new Set([""]);
  for (const path of paths) {
    let slash = path.lastIndexOf("/");
    while (slash > 0 && !folders.has(path.slice(0, slash))) {
      folders.add(path.slice(0, slash));
      slash = path.lastIndexOf("/", slash - 1);
    }
  }
  return folders.size;
}
