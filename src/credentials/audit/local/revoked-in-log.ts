import { closeSync, fstatSync } from "node:fs";

import { type AuditDirectories, logNumbers, logPath, openPrivate } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";

const REVOCATION = /"event":"(?:key|token)\.revoke","principal":"[^"]*","credential":"([^"]+)"/;

/** Returns the ids of credentials that the log records as revoked. Does not verify the lines. */
export function revokedInLog(places: AuditDirectories): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const number of logNumbers(places)) {
    const fd = openPrivate(logPath(places, number), "read");
    if (fd === undefined) continue;
    try {
      for (const { bytes } of readRawLines(fd, 0, fstatSync(fd).size)) {
        if (!bytes.includes('.revoke"')) continue;
        const id = REVOCATION.exec(bytes.toString("latin1"))?.[1];
        if (id !== undefined) ids.add(id);
      }
    } finally {
      closeSync(fd);
    }
  }
  return ids;
}
