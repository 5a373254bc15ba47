// Reads the whole log and checks that no line was altered, dropped, moved or added.
import * as fs from "node:fs";

import type { ChainKey } from "../chain.ts";
import { isSuccessor, type ParsedLine, parseLine } from "../chain.ts";
import { claimedPreviousMac } from "./recover-log.ts";
import type { Head } from "./head.ts";
import type { AuditLine, StoreHistory } from "./store-history.ts";
import { committedIn } from "../commit-line.ts";
import type { AuditDamage, AuditVerification } from "../port.ts";
import { type AuditDirectories, logName } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";
import { type OpenFile, openAuditSnapshot } from "./snapshot.ts";

export interface VerifyOptions {
  /** The history that the credential store remembers; the log is compared with it if given. */
  readonly history?: () => StoreHistory;
  /** Read only the newest files that fit into this many bytes; at least the maximum size of one file. */
  readonly maxBytes?: number;
}

/** Returns undefined when there is no log. Memory use does not grow with the log; others may keep writing it. */
export function verifyAuditLog(
  directories: AuditDirectories,
  key: ChainKey,
  { history = () => NO_HISTORY, maxBytes = Infinity }: VerifyOptions = {},
): AuditVerification | undefined {
  // Read the line before the log and the generation after it: other processes may change both meanwhile.
  const { line } = history();
  const { files, head, hasHead } = openAuditSnapshot(directories, key);
  try {
    if (files.length === 0 && !hasHead && line === undefined) return undefined;
    const verifier = new Verifier(key, head, line);
    return verifier.run(files, { maxBytes, generation: () => history().generation });
  } finally {
    for (const { fd } of files) fs.closeSync(fd);
  }
}

const NO_HISTORY: StoreHistory = { line: undefined, generation: 0 };

interface Extent {
  readonly maxBytes: number;
  /** Returns the generation of the store. */
  readonly generation: () => number;
}

class Verifier {
  readonly #key: ChainKey;
  readonly #head: Head | undefined;
  /** The line that the store remembers. */
  readonly #known: AuditLine | undefined;
  readonly #notes: string[] = [];
  #lines = 0;
  #calls = 0;
  #first: number | undefined;
  #seq = 0;
  #mac: string | undefined;
  /** Whether the head's line was found where the head says, with the same MAC. */
  #hasReachedHead = false;
  /** Whether the line that the store remembers has another MAC in the log. */
  #knownMacDiffers = false;
  /** The highest store generation recorded as committed. */
  #committed = 0;

  constructor(key: ChainKey, head: Head | undefined, known: AuditLine | undefined) {
    this.#key = key;
    this.#head = head;
    this.#known = known;
    this.#committed = head?.generation ?? 0;
  }

  run(files: readonly OpenFile[], { maxBytes, generation }: Extent): AuditVerification {
    const unread = unreadOf(files, maxBytes);
    const damage =
      oversizedFileDamage(files.at(-1), maxBytes) ??
      this.#findDamage(files, unread) ??
      this.#damageAtEnd(files) ??
      this.#damageByStore(files, generation());
    return {
      parts: files.length,
      unread,
      lines: this.#lines,
      calls: this.#calls,
      events: this.#lines - this.#calls,
      first: this.#first,
      last: this.#first === undefined ? undefined : this.#seq,
      notes: this.#notes,
      damage,
    };
  }

  #findDamage(files: readonly OpenFile[], unread: number): AuditDamage | undefined {
    let expected = this.#head === undefined ? undefined : this.#head.oldest;
    for (const [index, file] of files.entries()) {
      if (expected !== undefined && file.number > expected) return missingFileDamage(expected);
      // The log no longer needs this file, but the process that dropped it was killed before it deleted it.
      const isDropped = index === 0 && expected !== undefined && file.number < expected;
      if (!isDropped || this.#mac !== undefined) expected = file.number;
      const damage =
        index < unread ? undefined : this.#findDamageInFile(file, files.slice(index + 1));
      if (damage !== undefined) return damage;
      expected = file.number + 1;
    }
    return undefined;
  }

  #findDamageInFile(file: OpenFile, later: readonly OpenFile[]): AuditDamage | undefined {
    const name = logName(file.number);
    let number = 0;
    for (const { bytes, end, isComplete } of readRawLines(file.fd, 0, file.size)) {
      number += 1;
      const isTail =
        !isComplete && later.length === 0 && this.#isAfterHead(file, end - bytes.length);
      if (isTail) {
        this.#notes.push(`${name} ends with half a line, as a killed process leaves it.`);
        continue;
      }
      const line = isComplete ? parseLine(bytes) : undefined;
      const previous = this.#mac ?? claimedPreviousMac(bytes);
      const isGood =
        line !== undefined &&
        (this.#mac === undefined || line.seq === this.#seq + 1) &&
        isSuccessor(this.#key, previous, line);
      if (!isGood) return this.#explain(line, { file, name, number, end, later });
      const broken = this.#accept(line, bytes, { file, end });
      if (broken !== undefined) {
        return {
          part: name,
          line: number,
          kind: "altered",
          detail: `when svc started this file, it found that ${broken}`,
        };
      }
    }
    if (number === 0 && later.length > 0) {
      return { part: name, line: undefined, kind: "cut off", detail: "the file is empty" };
    }
    return undefined;
  }

  #accept(
    { seq, mac }: ParsedLine,
    bytes: Buffer,
    { file, end }: { readonly file: OpenFile; readonly end: number },
  ): string | undefined {
    this.#first ??= seq;
    this.#lines += 1;
    this.#seq = seq;
    this.#mac = mac;
    const head = this.#head;
    if (head?.seq === seq)
      this.#hasReachedHead = head.mac === mac && head.file === file.number && head.size === end;
    if (this.#known?.seq === seq) this.#knownMacDiffers = this.#known.mac !== mac;
    if (bytes.includes('"event":"call"')) {
      this.#calls += 1;
      return undefined;
    }
    this.#committed = Math.max(this.#committed, committedIn(bytes));
    if (!bytes.includes('"event":"log.')) return undefined;
    const fields = fieldsOf(bytes);
    if (fields["event"] === "log.mended" || fields["event"] === "log.lost") {
      this.#notes.push(noteOf(fields));
    }
    const { broken } = fields;
    return fields["event"] === "log.file" && typeof broken === "string" ? broken : undefined;
  }

  /** Explains a line that does not follow its predecessor. The lines after it show what happened. */
  #explain(
    line: ParsedLine | undefined,
    {
      file,
      name,
      number,
      end,
      later,
    }: { file: OpenFile; name: string; number: number; end: number; later: readonly OpenFile[] },
  ): AuditDamage {
    const wanted = this.#mac === undefined ? (line?.seq ?? 1) : this.#seq + 1;
    const place = { part: name, line: number };
    if (line === undefined)
      return { ...place, kind: "altered", detail: "it is not a line of the log" };
    if (line.seq < wanted)
      return { ...place, kind: "inserted", detail: "the line repeats an earlier one" };
    const rest = [{ ...file, from: end }, ...later.map((other) => ({ ...other, from: 0 }))];
    const wantedIsLater = this.#hasLine(
      rest,
      (other) => other.seq === wanted && this.#follows(other),
    );
    if (wantedIsLater) {
      const isDuplicate =
        line.seq === wanted ||
        this.#hasLine(rest, (other) => other.seq === line.seq && other.mac === line.mac);
      return isDuplicate
        ? { ...place, kind: "inserted", detail: "the line was not written here" }
        : {
            ...place,
            kind: "reordered",
            detail: `line ${line.seq} of the chain comes before line ${wanted}`,
          };
    }
    if (line.seq === wanted) return { ...place, kind: "altered", detail: "its MAC does not match" };
    const count = line.seq - wanted;
    const lines = count === 1 ? "1 line is missing" : `${count} lines are missing`;
    return number === 1
      ? {
          part: logName(file.number - 1),
          line: undefined,
          kind: "cut off",
          detail: `${lines} at its end`,
        }
      : { ...place, kind: "missing", detail: `${lines} before it` };
  }

  #follows(line: ParsedLine): boolean {
    return this.#mac === undefined || isSuccessor(this.#key, this.#mac, line);
  }

  #hasLine(
    files: readonly (OpenFile & { readonly from: number })[],
    isWanted: (line: ParsedLine) => boolean,
  ): boolean {
    for (const { fd, from, size } of files) {
      for (const { bytes } of readRawLines(fd, from, size)) {
        const line = parseLine(bytes);
        if (line !== undefined && isWanted(line)) return true;
      }
    }
    return false;
  }

  /** Compares the log with the store: neither may lack anything that the other one records. */
  #damageByStore(files: readonly OpenFile[], generation: number): AuditDamage | undefined {
    const known = this.#known?.seq ?? 0;
    const part = logName(files.at(-1)?.number ?? 1);
    const at = { part, line: undefined, kind: "rolled back" } as const;
    if (this.#seq < known) {
      const detail = `it ends at line ${this.#seq} of the chain, but the credential store knows line ${known}`;
      return { ...at, detail };
    }
    if (this.#knownMacDiffers) {
      return {
        ...at,
        detail: `line ${known} of the chain is not the one the credential store knows`,
      };
    }
    if (generation === 0 || generation >= this.#committed) return undefined;
    const detail = `it has ${generation} changes, but the audit log knows ${this.#committed}`;
    return { part: "credentials.db", line: undefined, kind: "rolled back", detail };
  }

  #damageAtEnd(files: readonly OpenFile[]): AuditDamage | undefined {
    const head = this.#head;
    const newest = files.at(-1);
    if (head === undefined && newest === undefined && this.#known !== undefined) {
      const detail = `the log is gone, but the credential store knows line ${this.#known.seq}`;
      return { part: "audit", line: undefined, kind: "missing", detail };
    }
    if (head === undefined) {
      return {
        part: "audit.head",
        line: undefined,
        kind: "altered",
        detail: "the head of the log is missing or was altered",
      };
    }
    if (head.seq === 0) return undefined;
    if (newest === undefined || newest.number < head.file)
      return missingFileDamage((newest?.number ?? head.oldest - 1) + 1);
    if (this.#hasReachedHead) return undefined;
    const lost = head.seq - this.#seq;
    return {
      part: logName(newest.number),
      line: undefined,
      kind: "cut off",
      detail:
        lost > 0 ? `the last ${lost} of its lines are gone` : "the head belongs to another log",
    };
  }

  #isAfterHead({ number }: OpenFile, start: number): boolean {
    const head = this.#head;
    return head !== undefined && (number > head.file || start >= head.size);
  }
}

/** Returns how many of the oldest files to leave out, so that the others have up to `maxBytes` together. */
function unreadOf(files: readonly OpenFile[], maxBytes: number): number {
  let bytes = 0;
  const newest = files.findLastIndex(({ size }) => (bytes += size) > maxBytes);
  return Math.min(newest + 1, Math.max(files.length - 1, 0));
}

/** svc never writes a file that exceeds the limit. */
function oversizedFileDamage(
  file: OpenFile | undefined,
  maxBytes: number,
): AuditDamage | undefined {
  if (file === undefined || file.size <= maxBytes) return undefined;
  const detail = `it has ${file.size} bytes, which is more than svc writes into one file`;
  return { part: logName(file.number), line: undefined, kind: "altered", detail };
}

function missingFileDamage(number: number): AuditDamage {
  return { part: logName(number), line: undefined, kind: "missing", detail: "the file is gone" };
}

function fieldsOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its MAC shows that it is a line of ours: an object
  return JSON.parse(bytes.toString("utf8")) as Readonly<Record<string, unknown>>;
}

function noteOf({
  time,
  event,
  why,
  lost_lines,
  cut_bytes,
  lines,
}: Readonly<Record<string, unknown>>): string {
  if (event === "log.lost")
    return `${String(time)}: ${String(lines)} calls were not recorded: the log could not be written.`;
  if (why === "power cut")
    return `${String(time)}: the last ${String(lost_lines)} lines before the machine stopped were lost.`;
  return `${String(time)}: half a line of ${String(cut_bytes)} bytes, left by a killed process, was cut off.`;
}
