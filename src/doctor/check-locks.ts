import { statSync } from "node:fs";

import { isLockHeld } from "../base/exclusive-lock.ts";
import { readRegularFile } from "../base/files.ts";
import { lockHolder } from "../base/lock-holder.ts";
import { LONGEST_SILENCE_MS, readNote } from "../engine/watching/watcher-note.ts";
import type { IndexLayout } from "../index/layout.ts";
import type { Check } from "./examination.ts";
import { counted, type Finding, quoted, type Teller, teller } from "./finding.ts";

const CHECK = "locks";
const NOTE_LIMIT_BYTES = 1 << 16;

/** Who writes to each index and who watches its files; whoever that is shows that it lives. */
export const checkLocks: Check = {
  name: CHECK,
  run(_examination, { namespaces }) {
    return namespaces.flatMap(({ name, layout }) => {
      const tell = teller(CHECK, name);
      return [...writer(layout, tell), ...watcher(layout, tell)];
    });
  },
};

function writer({ writerLock }: IndexLayout, tell: Teller): readonly Finding[] {
  return isLockHeld(writerLock) ? [tell.ok(`${processAt(writerLock)} is indexing`)] : [];
}

function watcher(layout: IndexLayout, tell: Teller): readonly Finding[] {
  const { watcherLock, watcherNote } = layout;
  const note = noteIn(watcherNote);
  if (!isLockHeld(watcherLock)) {
    if (note === undefined) return [tell.ok("nobody watches: files are looked at when asked")];
    const what = `${watcherNote} was left by process ${note.pid}, which was killed`;
    return [
      tell.warning(what, `Run \`rm ${quoted(watcherNote)}\`; the next that watches does so too.`),
    ];
  }
  if (note !== undefined && note.silentMs > LONGEST_SILENCE_MS) {
    const what = `process ${note.pid} should watch the files, but has said nothing for ${Math.round(note.silentMs / 1000)} s`;
    return [tell.warning(what, `Run \`kill ${note.pid}\`; another takes over.`)];
  }
  const { mode, pid, folders, problem } = readNote(layout);
  if (mode === "polled") {
    const what = `process ${pid} looks at the files from time to time: ${problem ?? "they cannot be watched"}`;
    return [tell.warning(what, "What it says mends it, from the next session on.")];
  }
  return [tell.ok(`${processAt(watcherLock)} watches ${counted(folders, "folder")}`)];
}

function processAt(lock: string): string {
  const pid = lockHolder(lock);
  return pid === undefined ? "another process" : `process ${pid}`;
}

/** What the last that watched has left, however old; undefined for none. */
function noteIn(path: string): { readonly pid: number; readonly silentMs: number } | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const text = readRegularFile(path, NOTE_LIMIT_BYTES)?.toString() ?? "";
  const pid = Number(/"pid":(?<pid>\d+)/.exec(text)?.groups?.["pid"] ?? 0);
  return { pid, silentMs: Math.abs(Date.now() - stat.mtimeMs) };
}
