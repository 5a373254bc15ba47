// Format of the audit log: one JSON object per line. Its last member is a MAC over this line and the previous
// line's MAC. Nobody without the key can change, drop, move or add a line.
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The MAC that the first line uses for its missing predecessor. */
export const NO_MAC = "0".repeat(64);

const MAC_START = ',"mac":"';
const MAC_END = '"}';
/** Number of bytes that `sealLine` appends to the members of a line. */
const TAIL = MAC_START.length + NO_MAC.length + MAC_END.length;
const CLOSING = "}";
const SEQ = /^\{"seq":([1-9]\d{0,14}),/;

/** The log's key with its three uses. Each use has a prefix of its own, so no result can replace another. */
export class ChainKey {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    // A key object: one HMAC takes 3 µs with it, and 19 µs with the raw key.
    this.#key = createSecretKey(key);
  }

  /** Returns 64 hexadecimal digits. `body` is the line as stored, without its MAC and closing brace. */
  line(previous: string, body: Uint8Array | string): string {
    return createHmac("sha256", this.#key)
      .update(`line\n${previous}\n`)
      .update(body)
      .update(CLOSING)
      .digest("hex");
  }

  /** Returns the MAC of a head: 64 hexadecimal digits. */
  head(text: string): string {
    return createHmac("sha256", this.#key).update(`head\n${text}`).digest("hex");
  }

  /** Returns 128 bits in hexadecimal: equal texts give equal values, on this machine only. */
  query(text: string): string {
    return createHmac("sha256", this.#key).update(`query\n${text}`).digest("hex").slice(0, 32);
  }
}

/** Members of a line other than `seq` and `mac`, in the order in which they are written. */
export type LineFields = Readonly<Record<string, unknown>>;

export interface SealedLine {
  /** Includes the newline. */
  readonly text: string;
  /** 64 hexadecimal digits. */
  readonly mac: string;
}

/** Returns the line with these fields that follows the line whose MAC is `previous`. */
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
  /** The line without its MAC and closing brace. */
  readonly body: Uint8Array;
}

/** Parses a line without its newline; returns undefined when the format is wrong. Does not check the MAC. */
export function parseLine(line: Buffer): ParsedLine | undefined {
  if (line.length <= TAIL) return undefined;
  const tail = line.toString("latin1", line.length - TAIL);
  const mac = tail.slice(MAC_START.length, -MAC_END.length);
  if (tail !== `${MAC_START}${mac}${MAC_END}` || !/^[0-9a-f]{64}$/.test(mac)) return undefined;
  const seq = SEQ.exec(line.toString("latin1", 0, 32))?.[1];
  if (seq === undefined) return undefined;
  return { seq: Number(seq), mac, body: line.subarray(0, line.length - TAIL) };
}

/** Returns true when the line follows the one whose MAC is `previous`, and is unaltered. */
export function isSuccessor(key: ChainKey, previous: string, { mac, body }: ParsedLine): boolean {
  // No constant-time comparison: the right MAC is not a secret, the log shows it to its owner.
  return key.line(previous, body) === mac;
}
