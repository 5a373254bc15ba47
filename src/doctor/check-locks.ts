import { statSync } from "node:fs";

import { isLockHeld } from "../base/exclusive-lock.ts";
import { readRegularFile } from "../base/files.ts";
import { lockHolderPid } from "../base/lock-holder.ts";
import { MAX_SILENCE_MS, readFreshness } from "../engine/watching/heartbeat.ts";
import type { IndexLayout } from "../index/embedded/layout.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { counted, type Finding, type Reporter, createReporter } from "./finding.ts";

const CHECK = "locks";
const MAX_HEARTBEAT_BYTES = 1 << 16;

/** Who writes to each index and who watches its files; whoever that is shows that it lives. */
export const checkLocks: Check = {
  name: CHECK,
  run(_examination, { namespaces }) {
    return namespaces.flatMap(({ name, layout }) => {
      const reporter = createReporter(CHECK, name);
      return [...writer(layout, reporter), ...watcher(layout, reporter)];
    });
  },
};

function writer({ writerLock }: IndexLayout, reporter: Reporter): readonly Finding[] {
  return isLockHeld(writerLock) ? [reporter.ok(`${processAt(writerLock)} is indexing`)] : [];
}

function watcher(layout: IndexLayout, reporter: Reporter): readonly Finding[] {
  const { leaderLock, heartbeat } = layout;
  const note = readHeartbeat(heartbeat);
  if (!isLockHeld(leaderLock)) {
    if (note === undefined) return [reporter.ok("nobody watches: files are looked at when asked")];
    const what = `${heartbeat} was left by process ${note.pid}, which was killed`;
    return [
      reporter.warning(what, `Run \`rm ${quoted(heartbeat)}\`; the next that watches does so too.`),
    ];
  }
  if (note !== undefined && note.silentMs > MAX_SILENCE_MS) {
    const what = `process ${note.pid} should watch the files, but has said nothing for ${Math.round(note.silentMs / 1000)} s`;
    return [reporter.warning(what, `Run \`kill ${note.pid}\`; another takes over.`)];
  }
  const { mode, pid, folders, problem } = readFreshness(layout);
  if (mode === "polled") {
    const what = `process ${pid} looks at the files from time to time: ${problem ?? "they cannot be watched"}`;
    return [reporter.warning(what, "What it says mends it, from the next session on.")];
  }
  return [reporter.ok(`${processAt(leaderLock)} watches ${counted(folders, "folder")}`)];
}

function processAt(lock: string): string {
  const pid = lockHolderPid(lock);
  return pid === undefined ? "another process" : `process ${pid}`;
}

/** What the last that watched has left, however old; undefined for none. */
function readHeartbeat(
  path: string,
): { readonly pid: number; readonly silentMs: number } | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const text = readRegularFile(path, MAX_HEARTBEAT_BYTES)?.toString() ?? "";
  const pid = Number(/"pid":(?<pid>\d+)/.exec(text)?.groups?.["pid"] ?? 0);
  return { pid, silentMs: Math.abs(Date.now() - stat.mtimeMs) };
}
