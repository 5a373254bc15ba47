import { readFileSync } from "node:fs";

import { inspectIndex } from "../index/embedded/inspect.ts";
import { readFreshness } from "../engine/watching/heartbeat.ts";
import type { Check } from "./check-context.ts";
import { createReporter } from "./finding.ts";
import type { ListedNamespace } from "./inventory.ts";

const CHECK = "watch limits";
const { ok, warning } = createReporter(CHECK);

/** The second is that of a container or another user namespace; the lower one holds. */
const LIMITS = ["fs.inotify.max_user_watches", "user.max_inotify_watches"];
/** What other programs need besides, editors above all. */
const OTHER_PROGRAMS_FACTOR = 1.25;
const USUAL_LIMIT = 524_288;

/** Every folder of the sources can be watched. On Linux alone: elsewhere a tree is watched as a whole. */
export const checkWatchLimits: Check = {
  name: CHECK,
  async run(_examination, { namespaces }) {
    const limits = LIMITS.map((name) => ({ name, most: limitOf(name) }));
    const lowest = limits.toSorted((one, other) => one.most - other.most)[0];
    if (lowest === undefined || lowest.most === Infinity) return [];
    const required = await Promise.all(namespaces.map(foldersOf));
    const requiredCount = required.reduce((sum, folders) => sum + folders, 0);
    const what = `the sources have ${requiredCount} folders to watch, and ${lowest.name} is ${lowest.most}`;
    if (requiredCount * OTHER_PROGRAMS_FACTOR <= lowest.most) return [ok(what)];
    let enough = USUAL_LIMIT;
    while (enough < requiredCount * 2) enough *= 2;
    const fix = `Run \`sudo sysctl ${lowest.name}=${enough}\`, and write it to /etc/sysctl.d for good. Until then files are looked at from time to time.`;
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

/** As who watches them has counted; else those that indexed files are in, which is a few less. */
async function foldersOf({ layout }: ListedNamespace): Promise<number> {
  const { folders } = readFreshness(layout);
  if (folders > 0) return folders;
  try {
    return await inspectIndex(layout, async ({ paths }) => folderCount(paths));
  } catch {
    // What is wrong with it says another check.
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
