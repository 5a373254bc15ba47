import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "fixtures/enter-wal.ts");

/**
 * Opens one new database in several processes at the same time; returns their exit codes and the number of rows
 * they wrote.
 */
async function openAtOnce(processes: number): Promise<{ codes: unknown[]; rows: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), "svc-wal-"));
  const file = join(folder, "new.db");
  const moment = String(Date.now() + 400);
  const children = Array.from({ length: processes }, () =>
    once(fork(PROGRAM, [file, moment], { silent: true }), "exit"),
  );
  const codes = (await Promise.all(children)).map((exit: unknown[]) => exit[0]);
  const db = new DatabaseSync(file);
  const rows = db.prepare("SELECT count(*) AS rows FROM opened").get()?.["rows"];
  db.close();
  rmSync(folder, { recursive: true });
  return { codes, rows };
}

test("processes that open a new database at the same time all succeed", async () => {
  for (let round = 0; round < 5; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one race after the other
    expect(await openAtOnce(4)).toEqual({ codes: [0, 0, 0, 0], rows: 4 });
  }
});
