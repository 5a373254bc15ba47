// A quick look at the log: whether its files are all there, and it goes as far as its head says. What
// stands in the lines before is checked by verify.ts.
import * as fs from "node:fs";

import { endsWith } from "./catch-up.ts";
import type { ChainKey } from "./chain.ts";
import { type AuditPlaces, logName } from "./log-files.ts";
import { takeSnapshot } from "./snapshot.ts";
import { type Damage, missingFile } from "./verify.ts";

export interface EndCheck {
  readonly files: number;
  /** As the head says. */
  readonly lines: number;
  readonly damage: Damage | undefined;
}

/** Undefined when there is no log. Reads a few bytes, however long the log is. */
export function checkEnd(places: AuditPlaces, key: ChainKey): EndCheck | undefined {
  const { files, head, hasHead } = takeSnapshot(places, key);
  try {
    if (files.length === 0 && !hasHead) return undefined;
    return { files: files.length, lines: head?.seq ?? 0, damage: damageOf(files, head) };
  } finally {
    for (const { fd } of files) fs.closeSync(fd);
  }
}

type Snapshot = ReturnType<typeof takeSnapshot>;

function damageOf(files: Snapshot["files"], head: Snapshot["head"]): Damage | undefined {
  if (head === undefined) {
    const detail = "the head of the log is missing or was altered";
    return { file: "audit.head", line: undefined, kind: "altered", detail };
  }
  if (head.seq === 0) return undefined;
  for (let number = head.oldest; number <= head.file; number += 1) {
    if (!files.some((file) => file.number === number)) return missingFile(number);
  }
  const last = files.find(({ number }) => number === head.file);
  if (last !== undefined && last.size >= head.size && endsWith(last.fd, head)) return undefined;
  const detail = "it does not end where its head says";
  return { file: logName(head.file), line: undefined, kind: "cut off", detail };
}
