import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { LocalAuditReader } from "../../../../src/credentials/audit/local/local-audit-reader.ts";
import type { AuditedStore } from "../../../../src/credentials/audit/local/store-history.ts";
import { auditContract } from "../../../contract/audit.ts";
import { KEY, tempLog } from "./temp-log.ts";

/** A store that remembers nothing about the log. */
const STORE: AuditedStore = {
  auditKey: KEY,
  history: () => ({ line: undefined, generation: 0 }),
};

auditContract(() => {
  const place = tempLog();
  return {
    open: (options) => place.open(options),
    reader: new LocalAuditReader(place, async (work) => work(STORE)),
    // A file in place of the directory.
    block() {
      const away = `${place.directory}-away`;
      const hasLog = movedAway(place.directory, away);
      writeFileSync(place.directory, "in the way");
      return () => {
        rmSync(place.directory);
        if (hasLog) renameSync(away, place.directory);
      };
    },
    tamper(change) {
      const [path = ""] = place.files();
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      writeFileSync(
        path,
        change(lines)
          .map((line) => `${line}\n`)
          .join(""),
      );
    },
  };
});

function movedAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
