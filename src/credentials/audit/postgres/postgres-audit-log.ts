// The audit log in the database of a shared backend: one log for all nodes.

import { randomBytes } from "node:crypto";

import type { Database } from "../../../postgres/database.ts";
import type { Sql } from "../../../postgres/sql.ts";
import type { CallEvent, CredentialEvent } from "../../audit-event.ts";
import { ChainKey, isSuccessor, type LineFields, NO_MAC, parseLine, sealLine } from "../chain.ts";
import { commitLine } from "../commit-line.ts";
import { callLine, eventLine } from "../line-fields.ts";
import type {
  AuditDamage,
  AuditPosition,
  AuditReader,
  AuditTail,
  AuditVerification,
  AuditWriter,
} from "../port.ts";

interface PostgresAuditOptions {
  /** Whether lines contain the text of queries; false by default. */
  readonly withQueries?: boolean;
  /** Called when calls could not be written; they are tried again. */
  readonly onFailure?: (error: unknown) => void;
}

const PART = "the table audit_line";
/** Calls are written together after this time: a transaction for each would cost more than the call. */
const WRITE_DELAY_MS = 500;
/** Calls that wait for a database that cannot be reached. Further ones are counted and lost. */
const MAX_WAITING = 10_000;
const VERIFIED_AT_ONCE = 5000;

/**
 * The same lines and the same chain of MACs as the log of one machine. The key of the chain is in the same database:
 * an account that can write all its tables can also forge the log. The chain finds lines that were damaged, removed or edited
 * without the key. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL.
 */
export class PostgresAuditLog implements AuditWriter, AuditReader {
  readonly location = PART;
  readonly #database: Database;
  readonly #withQueries: boolean;
  readonly #onFailure: (error: unknown) => void;
  #waiting: ((key: ChainKey) => LineFields)[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The write of calls that is running; one that waits for the standby must not take a connection for each call. */
  #writing: Promise<void> | undefined;
  #key: Promise<ChainKey> | undefined;

  constructor(
    database: Database,
    { withQueries = false, onFailure = () => {} }: PostgresAuditOptions = {},
  ) {
    this.#database = database;
    this.#withQueries = withQueries;
    this.#onFailure = onFailure;
  }

  readonly append = async (events: readonly CredentialEvent[]): Promise<void> =>
    this.#write(events.map(eventLine));

  readonly committed = (revision: number): void => this.#writeLater(() => commitLine(revision));

  readonly recordCall = (call: CallEvent, time = Date.now()): void =>
    this.#writeLater((key) => callLine(call, time, { key, withQueries: this.#withQueries }));

  readonly close = async (): Promise<void> => {
    await this.#writing?.catch(() => undefined);
    clearTimeout(this.#timer);
    await this.#writeWaiting();
  };

  readonly tail = async (count: number): Promise<AuditTail | undefined> => {
    const { seq } = await this.#head();
    if (seq === 0) return undefined;
    const rows = await this.#database.query(
      "SELECT line FROM audit_line WHERE seq > $1 AND seq <= $2 ORDER BY seq",
      [Math.max(0, seq - count), seq],
    );
    return { lines: rows.map(({ line }) => String(line)), next: { part: 0, offset: seq } };
  };

  readonly since = async ({ offset }: AuditPosition): Promise<AuditTail> => {
    const rows = await this.#database.query(
      "SELECT line, seq FROM audit_line WHERE seq > $1 ORDER BY seq",
      [offset],
    );
    const last = Number(rows.at(-1)?.["seq"] ?? offset);
    return { lines: rows.map(({ line }) => String(line)), next: { part: 0, offset: last } };
  };

  readonly verify = async (): Promise<AuditVerification | undefined> => {
    const end = await this.#head();
    if (end.seq === 0) return undefined;
    const key = await this.#chainKey();
    let last = { seq: 0, mac: NO_MAC };
    let calls = 0;
    let damage: AuditDamage | undefined;
    while (damage === undefined && last.seq < end.seq) {
      // oxlint-disable-next-line no-await-in-loop -- some lines in memory at a time
      const rows = await this.#database.query(
        // Lines that other nodes write meanwhile are not part of it.
        "SELECT line FROM audit_line WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3",
        [last.seq, end.seq, VERIFIED_AT_ONCE],
      );
      if (rows.length === 0) break;
      for (const { line: text } of rows) {
        const line = parseLine(Buffer.from(String(text)));
        if (line?.seq !== last.seq + 1 || !isSuccessor(key, last.mac, line)) {
          const detail = "it does not follow the line before it";
          damage = { part: PART, line: last.seq + 1, kind: "altered", detail };
          break;
        }
        last = line;
        if (String(text).includes('"event":"call"')) calls += 1;
      }
    }
    if (last.seq !== end.seq || last.mac !== end.mac) {
      const detail = `line ${end.seq} is gone`;
      damage ??= { part: PART, line: undefined, kind: "cut off", detail };
    }
    const isEmpty = last.seq === 0;
    return {
      parts: 1,
      unread: 0,
      lines: last.seq,
      calls,
      events: last.seq - calls,
      first: isEmpty ? undefined : 1,
      last: isEmpty ? undefined : last.seq,
      notes: [],
      damage,
    };
  };

  #writeLater(fieldsOf: (key: ChainKey) => LineFields): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(fieldsOf);
    else this.#lost += 1;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#writeWaiting();
    }, WRITE_DELAY_MS).unref();
  }

  async #writeWaiting(): Promise<void> {
    if (this.#writing !== undefined) {
      // What came meanwhile follows.
      this.#schedule();
      return;
    }
    if (this.#waiting.length === 0) return;
    try {
      await (this.#writing = this.#write([]));
    } catch (thrown) {
      this.#onFailure(thrown);
      this.#schedule();
    } finally {
      this.#writing = undefined;
    }
  }

  /** Writes the calls that wait, then these lines. Nothing of it is written if that fails; the calls then go on waiting. */
  async #write(lines: readonly LineFields[]): Promise<void> {
    const key = await this.#chainKey();
    const waiting = this.#waiting;
    this.#waiting = [];
    const lost = this.#lost;
    try {
      const fields = waiting.map((fieldsOf) => fieldsOf(key));
      const losses =
        lost === 0 ? [] : [{ time: new Date().toISOString(), event: "log.lost", lines: lost }];
      await this.#database.transaction((sql) =>
        appendLines(sql, key, [...fields, ...losses, ...lines]),
      );
      this.#lost -= lost;
    } catch (thrown) {
      this.#waiting = [...waiting, ...this.#waiting];
      throw thrown;
    }
  }

  async #head(): Promise<{ readonly seq: number; readonly mac: string }> {
    const [row] = await this.#database.query("SELECT seq, mac FROM audit_head");
    return { seq: Number(row?.["seq"]), mac: String(row?.["mac"]) };
  }

  /** The first node creates it. */
  #chainKey(): Promise<ChainKey> {
    this.#key ??= this.#readKey().catch((thrown: unknown) => {
      this.#key = undefined;
      throw thrown;
    });
    return this.#key;
  }

  async #readKey(): Promise<ChainKey> {
    const [row] = await this.#database.query(
      "UPDATE audit_head SET chain_key = coalesce(chain_key, $1) RETURNING chain_key",
      [randomBytes(32)],
    );
    const key = row?.["chain_key"];
    if (!Buffer.isBuffer(key)) throw new Error("the audit log has no row for its end");
    return new ChainKey(key);
  }
}

async function appendLines(sql: Sql, key: ChainKey, lines: readonly LineFields[]): Promise<void> {
  // Locks the row: the lines of all nodes have one sequence.
  const [head] = await sql.query("SELECT seq, mac FROM audit_head FOR UPDATE");
  let end = { seq: Number(head?.["seq"]), mac: String(head?.["mac"]) };
  for (const fields of lines) {
    const { text, mac } = sealLine(key, { seq: end.seq + 1, previous: end.mac }, fields);
    end = { seq: end.seq + 1, mac };
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await sql.query("INSERT INTO audit_line (seq, line) VALUES ($1, $2)", [
      end.seq,
      text.trimEnd(),
    ]);
  }
  await sql.query("UPDATE audit_head SET seq = $1, mac = $2", [end.seq, end.mac]);
}
