import { counted } from "../base/amounts.ts";
import { statSync } from "node:fs";

import { isLockHeld } from "../base/exclusive-lock.ts";
import { readRegularFile } from "../base/files.ts";
import { lockHolderPid } from "../base/lock-holder.ts";
import { readReport } from "../backend/leases/file-leases.ts";
import { MAX_SILENCE_MS } from "../backend/leases/port.ts";
import { parseFreshness } from "../engine/watching/heartbeat.ts";
import type { IndexLayout } from "../index/embedded/layout.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { type Finding, type Reporter, createReporter } from "./finding.ts";

const CHECK = "locks";
const MAX_HEARTBEAT_BYTES = 1 << 16;

/** Reports the process that writes to each index and the process that watches its files, and whether it is alive. */
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
  const last = readHeartbeat(heartbeat);
  if (!isLockHeld(leaderLock)) {
    if (last === undefined) return [reporter.ok("not watched; files are checked on each query")];
    const what = `${heartbeat} was left by process ${last.pid}, which was killed`;
    return [
      reporter.warning(what, `Run \`rm ${quoted(heartbeat)}\`; the next watcher also removes it.`),
    ];
  }
  if (last !== undefined && last.silentMs > MAX_SILENCE_MS) {
    const what = `process ${last.pid} should watch the files, but gave no sign of life for ${Math.round(last.silentMs / 1000)} s`;
    return [reporter.warning(what, `Run \`kill ${last.pid}\`; another process takes over.`)];
  }
  const { mode, pid, folders, problem } = parseFreshness(readReport(layout));
  if (mode === "polled") {
    const what = `process ${pid} checks the files periodically: ${problem ?? "they cannot be watched"}`;
    return [
      reporter.warning(
        what,
        "Fix the problem that it names; the next session then watches the files.",
      ),
    ];
  }
  return [reporter.ok(`${processAt(leaderLock)} watches ${counted(folders, "folder")}`)];
}

function processAt(lock: string): string {
  const pid = lockHolderPid(lock);
  return pid === undefined ? "another process" : `process ${pid}`;
}

/** The last heartbeat, however old; undefined without one. */
function readHeartbeat(
  path: string,
): { readonly pid: number; readonly silentMs: number } | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const text = readRegularFile(path, MAX_HEARTBEAT_BYTES)?.toString() ?? "";
  const pid = Number(/"pid":(?<pid>\d+)/.exec(text)?.groups?.["pid"] ?? 0);
  return { pid, silentMs: Math.abs(Date.now() - stat.mtimeMs) };
}
