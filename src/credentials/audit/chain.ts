// The form of the audit log: one JSON object a line, whose last member is a MAC over the line itself
// and the MAC of the line before it. Whoever lacks the key can neither change, drop, move nor add a line.
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** Stands for the line before the first one. */
export const NO_MAC = "0".repeat(64);

const MAC_START = ',"mac":"';
const MAC_END = '"}';
/** Length of what `sealLine` puts behind the members of a line. */
const TAIL = MAC_START.length + NO_MAC.length + MAC_END.length;
const CLOSING = "}";
const SEQ = /^\{"seq":([1-9]\d{0,14}),/;

/** What the log's key is used for; none of the three results can stand in for another. */
export class ChainKey {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    // A key object: HMAC of a line takes 3 µs with it, 19 µs with the bytes of the key.
    this.#key = createSecretKey(key);
  }

  /** Hexadecimal, 64 digits. `body` is the line as it stands in the file, without its MAC and closing brace. */
  line(previous: string, body: Uint8Array | string): string {
    return createHmac("sha256", this.#key)
      .update(`line\n${previous}\n`)
      .update(body)
      .update(CLOSING)
      .digest("hex");
  }

  head(text: string): string {
    return createHmac("sha256", this.#key).update(`head\n${text}`).digest("hex");
  }

  /** 128 bits, in hexadecimal: the same for the same text, on this machine only. */
  query(text: string): string {
    return createHmac("sha256", this.#key).update(`query\n${text}`).digest("hex").slice(0, 32);
  }
}

/** Members of a line but `seq` and `mac`, in the order in which they are written. */
export type LineFields = Readonly<Record<string, unknown>>;

export interface SealedLine {
  /** With its newline. */
  readonly text: string;
  readonly mac: string;
}

export function sealLine(
  key: ChainKey,
  { seq, previous }: { readonly seq: number; readonly previous: string },
  fields: LineFields,
): SealedLine {
  const body = JSON.stringify({ seq, ...fields }).slice(0, -CLOSING.length);
  const mac = key.line(previous, body);
  return { text: `${body}${MAC_START}${mac}${MAC_END}\n`, mac };
}

export interface ParsedLine {
  readonly seq: number;
  readonly mac: string;
  readonly body: Uint8Array;
}

/** Takes a line (without its newline) apart; undefined when it has not the form of one. Checks no MAC. */
export function parseLine(line: Buffer): ParsedLine | undefined {
  if (line.length <= TAIL) return undefined;
  const tail = line.toString("latin1", line.length - TAIL);
  const mac = tail.slice(MAC_START.length, -MAC_END.length);
  if (tail !== `${MAC_START}${mac}${MAC_END}` || !/^[0-9a-f]{64}$/.test(mac)) return undefined;
  const seq = SEQ.exec(line.toString("latin1", 0, 32))?.[1];
  if (seq === undefined) return undefined;
  return { seq: Number(seq), mac, body: line.subarray(0, line.length - TAIL) };
}

/** True when the line follows the one that `previous` is the MAC of, and nothing of it was changed. */
export function isSuccessor(key: ChainKey, previous: string, { mac, body }: ParsedLine): boolean {
  // Not a secret: the right MAC of any line that is there stands in the log for its owner to read.
  return key.line(previous, body) === mac;
}
