// Reads the whole log and says whether it is what was written: nothing altered, dropped, moved or added.
import * as fs from "node:fs";

import type { ChainKey } from "./chain.ts";
import { isNext, type ReadLine, splitLine } from "./chain.ts";
import { statedPrevious } from "./catch-up.ts";
import type { Head } from "./head.ts";
import { type AuditPlaces, logName } from "./log-files.ts";
import { readLines } from "./read-lines.ts";
import { type OpenFile, takeSnapshot } from "./snapshot.ts";

export interface Damage {
  /** Name of the file. */
  readonly file: string;
  /** 1-based; undefined for a whole file. */
  readonly line: number | undefined;
  readonly kind: "altered" | "missing" | "reordered" | "inserted" | "cut off";
  readonly detail: string;
}

export interface Verification {
  readonly files: number;
  /** Lines that are good, up to the first bad place. */
  readonly lines: number;
  readonly calls: number;
  /** All other lines: events of credentials, of the store and of the log itself. */
  readonly events: number;
  /** Numbers of the first and the last good line; undefined when there is none. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** What was mended after a crash, and half lines that will be; none of it is damage. */
  readonly notes: readonly string[];
  /** The first bad place. */
  readonly damage: Damage | undefined;
}

/** Undefined when there is no log. Memory does not grow with the log; others may go on writing it. */
export function verifyLog(places: AuditPlaces, key: ChainKey): Verification | undefined {
  const { files, head, hasHead } = takeSnapshot(places, key);
  try {
    if (files.length === 0 && !hasHead) return undefined;
    return new Verifier(key, head).run(files);
  } finally {
    for (const { fd } of files) fs.closeSync(fd);
  }
}

class Verifier {
  readonly #key: ChainKey;
  readonly #head: Head | undefined;
  readonly #notes: string[] = [];
  #lines = 0;
  #calls = 0;
  #first: number | undefined;
  #seq = 0;
  #mac: string | undefined;
  /** Whether the line that the head names was found as the head has it. */
  #headIsMet = false;

  constructor(key: ChainKey, head: Head | undefined) {
    this.#key = key;
    this.#head = head;
  }

  run(files: readonly OpenFile[]): Verification {
    const damage = this.#damageIn(files) ?? this.#damageAtEnd(files);
    return {
      files: files.length,
      lines: this.#lines,
      calls: this.#calls,
      events: this.#lines - this.#calls,
      first: this.#first,
      last: this.#first === undefined ? undefined : this.#seq,
      notes: this.#notes,
      damage,
    };
  }

  #damageIn(files: readonly OpenFile[]): Damage | undefined {
    let expected = this.#head === undefined ? undefined : this.#head.oldest;
    for (const [index, file] of files.entries()) {
      if (expected !== undefined && file.number > expected) return missingFile(expected);
      // Dropped, but not yet gone when the process that dropped it was killed.
      const isDropped = index === 0 && expected !== undefined && file.number < expected;
      if (!isDropped || this.#mac !== undefined) expected = file.number;
      const damage = this.#damageInFile(file, files.slice(index + 1));
      if (damage !== undefined) return damage;
      expected = file.number + 1;
    }
    return undefined;
  }

  #damageInFile(file: OpenFile, later: readonly OpenFile[]): Damage | undefined {
    const name = logName(file.number);
    let number = 0;
    for (const { bytes, end, isWhole } of readLines(file.fd, 0, file.size)) {
      number += 1;
      const isTail = !isWhole && later.length === 0 && this.#isBehindHead(file, end - bytes.length);
      if (isTail) {
        this.#notes.push(`${name} ends with half a line, as a killed process leaves it.`);
        continue;
      }
      const line = isWhole ? splitLine(bytes) : undefined;
      const previous = this.#mac ?? statedPrevious(bytes);
      const isGood =
        line !== undefined &&
        (this.#mac === undefined || line.seq === this.#seq + 1) &&
        isNext(this.#key, previous, line);
      if (!isGood) return this.#explain(line, { file, name, number, end, later });
      const broken = this.#accept(line, bytes, { file, end });
      if (broken !== undefined) {
        return {
          file: name,
          line: number,
          kind: "altered",
          detail: `when this file was begun, svc found that ${broken}`,
        };
      }
    }
    if (number === 0 && later.length > 0) {
      return { file: name, line: undefined, kind: "cut off", detail: "the file is empty" };
    }
    return undefined;
  }

  #accept(
    { seq, mac }: ReadLine,
    bytes: Buffer,
    { file, end }: { readonly file: OpenFile; readonly end: number },
  ): string | undefined {
    this.#first ??= seq;
    this.#lines += 1;
    this.#seq = seq;
    this.#mac = mac;
    const head = this.#head;
    if (head?.seq === seq)
      this.#headIsMet = head.mac === mac && head.file === file.number && head.size === end;
    if (bytes.includes('"event":"call"')) {
      this.#calls += 1;
      return undefined;
    }
    if (!bytes.includes('"event":"log.')) return undefined;
    const fields = fieldsOf(bytes);
    if (fields["event"] === "log.mended" || fields["event"] === "log.lost") {
      this.#notes.push(noteOf(fields));
    }
    const { broken } = fields;
    return fields["event"] === "log.file" && typeof broken === "string" ? broken : undefined;
  }

  /** A line that does not follow the one before it: what happened is told by what comes later. */
  #explain(
    line: ReadLine | undefined,
    {
      file,
      name,
      number,
      end,
      later,
    }: { file: OpenFile; name: string; number: number; end: number; later: readonly OpenFile[] },
  ): Damage {
    const wanted = this.#mac === undefined ? (line?.seq ?? 1) : this.#seq + 1;
    const place = { file: name, line: number };
    if (line === undefined)
      return { ...place, kind: "altered", detail: "it is not a line of the log" };
    if (line.seq < wanted)
      return { ...place, kind: "inserted", detail: "the line repeats an earlier one" };
    const rest = [{ ...file, from: end }, ...later.map((other) => ({ ...other, from: 0 }))];
    const wantedIsLater = this.#isThere(
      rest,
      (other) => other.seq === wanted && this.#follows(other),
    );
    if (wantedIsLater) {
      const isTwice =
        line.seq === wanted ||
        this.#isThere(rest, (other) => other.seq === line.seq && other.mac === line.mac);
      return isTwice
        ? { ...place, kind: "inserted", detail: "the line was not written here" }
        : {
            ...place,
            kind: "reordered",
            detail: `line ${line.seq} of the chain stands before line ${wanted}`,
          };
    }
    if (line.seq === wanted) return { ...place, kind: "altered", detail: "its MAC does not fit" };
    const count = line.seq - wanted;
    const lines = count === 1 ? "1 line is missing" : `${count} lines are missing`;
    return number === 1
      ? {
          file: logName(file.number - 1),
          line: undefined,
          kind: "cut off",
          detail: `${lines} at its end`,
        }
      : { ...place, kind: "missing", detail: `${lines} before it` };
  }

  #follows(line: ReadLine): boolean {
    return this.#mac === undefined || isNext(this.#key, this.#mac, line);
  }

  #isThere(
    files: readonly (OpenFile & { readonly from: number })[],
    isWanted: (line: ReadLine) => boolean,
  ): boolean {
    for (const { fd, from, size } of files) {
      for (const { bytes } of readLines(fd, from, size)) {
        const line = splitLine(bytes);
        if (line !== undefined && isWanted(line)) return true;
      }
    }
    return false;
  }

  #damageAtEnd(files: readonly OpenFile[]): Damage | undefined {
    const head = this.#head;
    const newest = files.at(-1);
    if (head === undefined) {
      return {
        file: "audit.head",
        line: undefined,
        kind: "altered",
        detail: "the head of the log is missing or was altered",
      };
    }
    if (head.seq === 0) return undefined;
    if (newest === undefined || newest.number < head.file)
      return missingFile((newest?.number ?? head.oldest - 1) + 1);
    if (this.#headIsMet) return undefined;
    const lost = head.seq - this.#seq;
    return {
      file: logName(newest.number),
      line: undefined,
      kind: "cut off",
      detail:
        lost > 0
          ? `the last ${lost} of its lines are gone`
          : "it is not the log that the head was written for",
    };
  }

  #isBehindHead({ number }: OpenFile, start: number): boolean {
    const head = this.#head;
    return head !== undefined && (number > head.file || start >= head.size);
  }
}

export function missingFile(number: number): Damage {
  return { file: logName(number), line: undefined, kind: "missing", detail: "the file is gone" };
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
