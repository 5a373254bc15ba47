// Downloads the files of a release from the address that a user gave to `svc upgrade`. Nothing else asks for one.

import type { Agent, Response } from "undici";

import { SvcError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";
import { problemWithServerUrl } from "../base/server-url.ts";
import type { ReleaseSource } from "../upgrade/release-source.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** A server that sends nothing for so long is given up. */
const IDLE_TIMEOUT_MS = 60_000;
/** Places for downloads often redirect to a store of files. */
const MAX_REDIRECTS = 5;
const NOT_FOUND = 404;

/** The release at an https address; http only on this machine. `signal` ends all downloads. Throws USAGE. */
export function releaseDownload(address: string, signal: AbortSignal): ReleaseSource {
  const url = URL.parse(address);
  const problem =
    url?.protocol === "http:" && !isLoopback(url.hostname)
      ? "uses plain HTTP, so anybody on the network path can change the program"
      : problemWithServerUrl(address);
  if (problem !== undefined) {
    throw new SvcError("USAGE", `FROM ${problem}.`, {
      hint: "Give the https address of the folder with the files of a release, or a folder of this machine.",
    });
  }
  const base = address.replace(/\/*$/, "/");
  const connection = new Connection();
  return {
    name: base,
    isRemote: true,
    async read(file, maxBytes) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(IDLE_TIMEOUT_MS)]);
      const response = await connection.get(new URL(file, base), limited);
      if (response.status === NOT_FOUND) return undefined;
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of bodyOf(response, file)) {
        length += piece.length;
        if (length > maxBytes) throw failed(`${file} has more than ${maxBytes} bytes`);
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    },
    async *stream(file) {
      const response = await connection.get(new URL(file, base), signal);
      yield* bodyOf(response, file);
    },
    close: () => connection.close(),
  };
}

class Connection {
  #agent: Agent | undefined;

  async get(url: URL, signal: AbortSignal): Promise<Response> {
    // In the bundle, a CommonJS module has only its default export. Loaded here, so that no start pays for it.
    const { default: undici } = await import("undici");
    this.#agent ??= new undici.Agent({
      // Set explicitly, because an environment variable of Node can turn off the check of certificates.
      connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
      allowH2: false,
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
    });
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      let response: Response;
      try {
        response = await undici.fetch(at, { redirect: "manual", signal, dispatcher: this.#agent });
      } catch (thrown) {
        throw failed(`${at.host} cannot be reached (${causeOf(thrown)})`, thrown);
      }
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, at);
      // Never from an encrypted connection to another kind.
      if (next.protocol !== at.protocol) throw failed(`${at.host} redirects to ${next.protocol}`);
      at = next;
    }
    throw failed(`${url.host} redirects more than ${MAX_REDIRECTS} times`);
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }
}

async function* bodyOf(response: Response, file: string): AsyncGenerator<Uint8Array> {
  if (response.status !== 200 || response.body === null)
    throw failed(`the server answers ${response.status} for ${file}`);
  try {
    yield* response.body;
  } catch (thrown) {
    throw failed(`the download of ${file} broke off (${causeOf(thrown)})`, thrown);
  }
}

function failed(problem: string, cause?: unknown): SvcError {
  return new SvcError("UPGRADE_FAILED", `The release cannot be downloaded: ${problem}.`, {
    hint: "Check the address, or download the release by other means and name its folder.",
    cause,
  });
}

/** The code of the innermost error, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function causeOf(thrown: unknown): string {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "no connection";
}
