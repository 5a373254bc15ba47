// The index of a namespace of a server, to be fetched. Everything that comes is bounded.

import { SvcError } from "../base/errors.ts";
import { gunzip } from "../base/compression.ts";
import { exportPath, type ExportedIndex } from "../base/exported-index.ts";
import { parseIndexList } from "./index-list.ts";
import type { RemoteFetch } from "./remote-fetch.ts";
import { remoteError, withFetchRemedy } from "./remote-errors.ts";
import type { ServerAddress } from "./server-address.ts";

/** The list of Linux, with 78,512 files, has 11 MB, and 4 when it is compressed. */
const MAX_LIST_BYTES = 256 << 20;
const MAX_COMPRESSED_BYTES = 64 << 20;
/** A server that sends nothing for so long is gone. */
const MAX_SILENCE_MS = 30_000;
const NOT_MODIFIED = 304;

interface RemoteIndexOptions {
  readonly address: ServerAddress;
  readonly namespace: string;
  readonly fetch: RemoteFetch;
  readonly maxSilenceMs?: number;
}

export class RemoteIndex {
  readonly #options: RemoteIndexOptions;
  readonly name: string;

  constructor(options: RemoteIndexOptions) {
    this.#options = options;
    this.name = `${options.namespace} at ${options.address.name}`;
  }

  /** Throws what `list` throws if the server does not give out the index, and gets nothing of it. */
  async check(signal: AbortSignal): Promise<void> {
    await this.list("*", signal);
  }

  /** Returns the list and its version; undefined if that is `known`. Throws REMOTE_UNAVAILABLE and errors of the server. */
  async list(
    known: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly version: string; readonly index: ExportedIndex } | undefined> {
    const headers = known === undefined ? {} : { "if-none-match": known };
    const answer = await this.#get("", headers, { maxBytes: MAX_COMPRESSED_BYTES, signal }).catch(
      (thrown: unknown) => {
        throw isMissing(thrown) ? this.#sharesNothing() : thrown;
      },
    );
    if (answer.status === NOT_MODIFIED) return undefined;
    const index = this.#parsed(answer.bytes);
    const version = /^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/.exec(answer.tag)?.[0];
    if (index === undefined || version === undefined)
      throw this.#error("does not list the index as svc does");
    return { version, index };
  }

  /** Returns bytes from `offset` on; undefined if there is no such segment any more. Throws as `list` does. */
  async part(
    segment: string,
    { offset, end }: { readonly offset: number; readonly end: number },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const headers = { range: `bytes=${offset}-${end - 1}` };
    try {
      const limits = { maxBytes: end - offset, signal };
      const { bytes, range } = await this.#get(`/${segment}`, headers, limits);
      if (!range.startsWith(`bytes ${offset}-`))
        throw this.#error("sends a different part from the one requested");
      return bytes;
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
  }

  #parsed(bytes: Buffer): ExportedIndex | undefined {
    try {
      return parseIndexList(gunzip(bytes, { maxOutputLength: MAX_LIST_BYTES }).toString("utf8"));
    } catch {
      return undefined;
    }
  }

  close(): Promise<void> {
    return this.#options.fetch.close();
  }

  async #get(
    below: string,
    headers: Readonly<Record<string, string>>,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Received> {
    const { address, namespace, fetch, maxSilenceMs = MAX_SILENCE_MS } = this.#options;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), maxSilenceMs);
    try {
      const response = await fetch.send(address.name + exportPath(namespace) + below, {
        headers,
        signal: AbortSignal.any([signal, silence.signal]),
      });
      const bytes = await this.#read(response, maxBytes, () => timer.refresh());
      const { status } = response;
      const header = (name: string): string => response.headers.get(name) ?? "";
      return { status, bytes, tag: header("etag"), range: header("content-range") };
    } catch (thrown) {
      signal.throwIfAborted();
      if (silence.signal.aborted) throw this.#error("has stopped sending", thrown);
      if (thrown instanceof SvcError) throw withFetchRemedy(thrown);
      throw this.#error("has broken off", thrown);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(response: Response, maxBytes: number, onBytes: () => void): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      onBytes();
      length += part.length;
      // Leaving the loop ends the connection.
      if (length > maxBytes) throw this.#error("sends more than it should");
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  #error(how: string, cause?: unknown): SvcError {
    return withFetchRemedy(remoteError(this.#options.address.name, how, cause));
  }

  #sharesNothing(): SvcError {
    const { name } = this.#options.address;
    return new SvcError(
      "REMOTE_UNAVAILABLE",
      `The server ${name} is too old to share its indexes.`,
      {
        hint: "The people who run it can update it. Without --from-remote, svc indexes the files on this machine.",
      },
    );
  }
}

interface Received {
  readonly status: number;
  readonly bytes: Buffer;
  readonly tag: string;
  readonly range: string;
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof SvcError && thrown.code === "ENDPOINT_NOT_FOUND";
}
