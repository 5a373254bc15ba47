import type { SvcError } from "../../../base/errors.ts";
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

/** Where the logs of several processes meet. */
export interface SharedAuditLog {
  readonly key: ChainKey;
  /** Whole lines, without newlines. */
  lines: string[];
  /** Number and MAC of the last line. */
  end: { readonly seq: number; readonly mac: string };
  /** Why nothing can be written at present. */
  obstacle: SvcError | undefined;
}

export function sharedAuditLog(): SharedAuditLog {
  const key = new ChainKey(Buffer.alloc(32, 1));
  return { key, lines: [], end: { seq: 0, mac: NO_MAC }, obstacle: undefined };
}

interface MemoryAuditOptions {
  /** Whether lines contain the text of queries; false by default. */
  readonly withQueries?: boolean;
}

const PART = "memory";

/** An audit log in memory, for tests. */
export class MemoryAuditLog implements AuditWriter, AuditReader {
  readonly location = PART;
  readonly #shared: SharedAuditLog;
  readonly #withQueries: boolean;
  #queued: LineFields[] = [];

  constructor(
    shared: SharedAuditLog = sharedAuditLog(),
    { withQueries = false }: MemoryAuditOptions = {},
  ) {
    this.#shared = shared;
    this.#withQueries = withQueries;
  }

  readonly append = async (events: readonly CredentialEvent[]): Promise<void> => {
    if (this.#shared.obstacle !== undefined) throw this.#shared.obstacle;
    this.#write([...this.#queued, ...events.map(eventLine)]);
    this.#queued = [];
  };

  readonly committed = (revision: number): void => this.#writeLater(commitLine(revision));

  readonly recordCall = (call: CallEvent, time = Date.now()): void => {
    const privacy = { key: this.#shared.key, withQueries: this.#withQueries };
    this.#writeLater(callLine(call, time, privacy));
  };

  readonly close = async (): Promise<void> => this.#writeQueued();

  readonly tail = async (count: number): Promise<AuditTail | undefined> => {
    const { lines } = this.#shared;
    if (lines.length === 0) return undefined;
    return {
      lines: lines.slice(Math.max(0, lines.length - count)),
      next: { part: 0, offset: lines.length },
    };
  };

  readonly since = async ({ offset }: AuditPosition): Promise<AuditTail> => {
    const { lines } = this.#shared;
    return { lines: lines.slice(offset), next: { part: 0, offset: lines.length } };
  };

  readonly verify = async (): Promise<AuditVerification | undefined> => {
    const { key, lines, end } = this.#shared;
    if (lines.length === 0 && end.seq === 0) return undefined;
    let last = { seq: 0, mac: NO_MAC };
    let calls = 0;
    let damage: AuditDamage | undefined;
    for (const [at, text] of lines.entries()) {
      const line = parseLine(Buffer.from(text));
      if (line?.seq !== last.seq + 1 || !isSuccessor(key, last.mac, line)) {
        const detail = "it does not follow the line before it";
        damage = { part: PART, line: at + 1, kind: "altered", detail };
        break;
      }
      last = line;
      if (text.includes('"event":"call"')) calls += 1;
    }
    if (last.seq !== end.seq) {
      const detail = `line ${end.seq} is gone`;
      damage ??= { part: PART, line: undefined, kind: "cut off", detail };
    }
    const first = last.seq === 0 ? undefined : 1;
    const numbers = { first, last: first === undefined ? undefined : last.seq };
    const counts = { parts: 1, unread: 0, lines: last.seq, calls, events: last.seq - calls };
    return { ...counts, ...numbers, notes: [], damage };
  };

  #writeLater(fields: LineFields): void {
    this.#queued.push(fields);
    this.#writeQueued();
  }

  #writeQueued(): void {
    if (this.#shared.obstacle !== undefined) return;
    this.#write(this.#queued);
    this.#queued = [];
  }

  #write(lines: readonly LineFields[]): void {
    for (const fields of lines) {
      const { seq, mac: previous } = this.#shared.end;
      const { text, mac } = sealLine(this.#shared.key, { seq: seq + 1, previous }, fields);
      this.#shared.lines.push(text.trimEnd());
      this.#shared.end = { seq: seq + 1, mac };
    }
  }
}
