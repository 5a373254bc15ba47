// Calls the tools of one server over HTTP, through the client of the MCP SDK. Every request is complete in itself
// (revision 2026-07-28), so nothing has to be opened first, and a server that was restarted answers the next call.

import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as v from "valibot";

import { SvcError } from "../base/errors.ts";
import { RemoteFetch, type ReadToken } from "./remote-fetch.ts";
import { errorOfReply, remoteError } from "./remote-errors.ts";
import type { ServerAddress } from "./server-address.ts";

interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
}

/** What a server sends on its own. */
interface Notifications {
  readonly onNotification: (method: string, params: Record<string, unknown>) => void;
}

/** A namespace of the server. */
export type RemoteNamespace = v.InferOutput<
  typeof STATUS
>["structuredContent"]["namespaces"][number];

/** Loads the client, and with it the SDK, on first use. */
export type OpenClient = () => Promise<RemoteClient>;

export interface RemoteSubscription {
  /** Resolves when the server, or the network, ended it. */
  readonly ended: Promise<unknown>;
  readonly close: () => void;
}

const REVISION = "2026-07-28";
const CAPABILITIES = { tools: { listChanged: true } };
/** Members that the protocol does not define are passed on, so the SDK must not check the result. */
const ANY_RESULT = v.record(v.string(), v.unknown());
const TOOL_NAMES = v.object({ tools: v.array(v.object({ name: v.string() })) });
const STATUS = v.object({
  structuredContent: v.object({
    namespaces: v.array(
      v.object({
        name: v.string(),
        sources: v.array(
          v.object({
            url: v.optional(v.string()),
            repositories: v.optional(v.array(v.string())),
          }),
        ),
      }),
    ),
  }),
});
/** When a server has not answered yet, svc checks that it still runs. Both together are two seconds. */
const PROBE_AFTER_MS = 1000;
const PROBE_TIMEOUT_MS = 1000;
/** Between the checks of a call that takes long. */
const PROBE_EVERY_MS = 5000;
/** The session ends a call before that. */
const TIMEOUT_MS = 60_000;
const OPEN_TIMEOUT_MS = 5000;

export class RemoteClient {
  readonly #address: ServerAddress;
  readonly #fetch: RemoteFetch;
  readonly #client: Client;
  #connected: Promise<void> | undefined;

  constructor(
    address: ServerAddress,
    { version, readToken }: { readonly version: string; readonly readToken: ReadToken },
    { onNotification }: Notifications,
  ) {
    this.#address = address;
    this.#fetch = new RemoteFetch(address, readToken);
    this.#client = new Client({ name: "svc", version }, { capabilities: {} });
    this.#client.fallbackNotificationHandler = async ({ method, params = {} }) =>
      onNotification(method, params);
  }

  /** Returns the result of a tool as the server sent it. Throws its error, or REMOTE_UNAVAILABLE. */
  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<Record<string, unknown>> {
    const request = { method: "tools/call", params: { name, arguments: input } };
    return this.#request(request, ANY_RESULT, options);
  }

  /** Returns the names of the tools that the token allows. Throws as `call` does. */
  async toolNames(signal: AbortSignal): Promise<readonly string[]> {
    const { tools } = await this.#request({ method: "tools/list" }, TOOL_NAMES, { signal });
    return tools.map(({ name }) => name);
  }

  /** Returns the namespaces that the token can access, by name. Throws as `call` does. */
  async namespaces(signal: AbortSignal): Promise<readonly RemoteNamespace[]> {
    const request = { method: "tools/call", params: { name: "index_status", arguments: {} } };
    const { namespaces } = (await this.#request(request, STATUS, { signal })).structuredContent;
    return namespaces.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Opens a subscription with this filter. Throws as `call` does. */
  async subscribe(filter: Readonly<Record<string, boolean>>): Promise<RemoteSubscription> {
    await this.#connect();
    try {
      const opened = await this.#client.listen(filter, { timeout: OPEN_TIMEOUT_MS });
      return { ended: opened.closed, close: () => void opened.close() };
    } catch (thrown) {
      throw this.#errorOf(thrown);
    }
  }

  async close(): Promise<void> {
    if (this.#connected !== undefined) await this.#client.close();
    await this.#fetch.close();
  }

  async #request<Result>(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    schema: v.GenericSchema<unknown, Result>,
    { signal, onProgress }: CallOptions,
  ): Promise<Result> {
    await this.#connect();
    const ended = new AbortController();
    const stopProbes = this.#probeUntilStopped(ended);
    try {
      return await this.#client.request(request, schema, {
        signal: AbortSignal.any([signal, ended.signal]),
        timeout: TIMEOUT_MS,
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      });
    } catch (thrown) {
      signal.throwIfAborted();
      ended.signal.throwIfAborted();
      throw this.#errorOf(thrown);
    } finally {
      stopProbes();
    }
  }

  /** Aborts `ended` with REMOTE_UNAVAILABLE when the server does not answer a probe. Returns a function that stops it. */
  #probeUntilStopped(ended: AbortController): () => void {
    const stop = new AbortController();
    const probe = (): void => {
      const late = AbortSignal.timeout(PROBE_TIMEOUT_MS);
      this.#fetch.probe(AbortSignal.any([late, stop.signal])).then(
        () => (timer = setTimeout(probe, PROBE_EVERY_MS)),
        (thrown: unknown) => {
          if (stop.signal.aborted) return;
          const isLate = !(thrown instanceof SvcError);
          ended.abort(isLate ? remoteError(this.#address.name, "does not answer") : thrown);
        },
      );
    };
    let timer = setTimeout(probe, PROBE_AFTER_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }

  /** Sends nothing: what a server of svc would answer to `server/discover` is known. */
  #connect(): Promise<void> {
    const { mcp } = this.#address;
    this.#connected ??= this.#client.connect(
      new StreamableHTTPClientTransport(new URL(mcp), { fetch: this.#fetch.send }),
      {
        prior: {
          kind: "modern",
          discover: { supportedVersions: [REVISION], capabilities: CAPABILITIES },
        },
      },
    );
    return this.#connected;
  }

  #errorOf(thrown: unknown): unknown {
    if (thrown instanceof SvcError) return thrown;
    if (thrown instanceof ProtocolError) return errorOfReply(thrown);
    return remoteError(this.#address.name, "does not answer as svc does", thrown);
  }
}
