import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import type { CallEvent } from "../../../../src/credentials/audit-event.ts";
import {
  LocalAuditLog,
  type LocalAuditLogOptions,
} from "../../../../src/credentials/audit/local/local-audit-log.ts";
import { ChainKey } from "../../../../src/credentials/audit/chain.ts";
import { verifyAuditLog } from "../../../../src/credentials/audit/local/verify.ts";
import type { AuditVerification } from "../../../../src/credentials/audit/port.ts";
import { recordingLogger, type LogEntry } from "../../../helpers/rpc.ts";

export const KEY = Buffer.alloc(32, 7);

export interface TempLog {
  readonly root: string;
  readonly directory: string;
  readonly keyDirectory: string;
  readonly head: string;
  /** Warnings that the log emitted. */
  readonly warnings: readonly LogEntry[];
  /** Closed when the test ends. */
  readonly open: (options?: Partial<LocalAuditLogOptions>) => LocalAuditLog;
  readonly verify: () => AuditVerification | undefined;
  /** Paths of the files, the oldest first. */
  readonly files: () => string[];
  /** Every line of every file, parsed. */
  readonly lines: () => Readonly<Record<string, unknown>>[];
}

export function tempLog(): TempLog {
  const root = mkdtempSync(join(tmpdir(), "svc-audit-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const places = { directory: join(root, "audit"), keyDirectory: join(root, "keys") };
  const { logger, entries } = recordingLogger();
  const files = (): string[] =>
    readdirSync(places.directory)
      .toSorted()
      .map((name) => join(places.directory, name));
  return {
    root,
    ...places,
    head: join(places.keyDirectory, "audit.head"),
    warnings: entries,
    open(options) {
      const log = new LocalAuditLog({
        ...places,
        key: KEY,
        withQueries: false,
        log: logger,
        ...options,
      });
      onTestFinished(() => log.close());
      return log;
    },
    verify: () => verifyAuditLog(places, new ChainKey(KEY)),
    files,
    lines: () =>
      files().flatMap((path) =>
        readFileSync(path, "utf8")
          .trimEnd()
          .split("\n")
          .map((line): Record<string, unknown> => JSON.parse(line)),
      ),
  };
}

export function call(more: Partial<CallEvent> = {}): CallEvent {
  return {
    principal: "tok_0011223344556677",
    tool: "search_context",
    namespace: "project",
    outcome: "ok",
    ms: 12,
    items: 2,
    characters: 300,
    request: 1,
    ...more,
  };
}

/** Creates a log with that many calls and closes it. */
export async function writtenLog(
  count: number,
  options?: Partial<LocalAuditLogOptions>,
): Promise<TempLog> {
  const place = tempLog();
  const log = place.open(options);
  for (let at = 0; at < count; at += 1) {
    log.recordCall(call({ request: at }));
    log.flush();
  }
  await log.close();
  return place;
}
