// `GET /v1/namespaces/NAME/index` and `…/index/SEGMENT`: the index of a namespace for other machines, which start theirs from
// that one (docs/decisions/0106-laptops-start-from-the-server.md). For callers who may read the namespace, of a server that shares
// its indexes.

import { gzip } from "../../base/compression.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import { MAX_PART_BYTES } from "../../base/exported-index.ts";
import type { Logger } from "../../base/log.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import type { Engine } from "../../engine/api/engine.ts";
import type { EndpointServices } from "./endpoint-services.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { NOT_MODIFIED, sendBody } from "./reply.ts";
import { runInTurn } from "./run-in-turn.ts";

interface IndexEndpointOptions {
  readonly engine: () => Promise<Pick<Engine, "exports">>;
  /** Whether the owner of the server lets others have its indexes. */
  readonly isShared: boolean;
  readonly audit: (call: CallEvent) => void;
  readonly logger: Logger;
}

/** What a path names. */
export interface OfferedPath {
  readonly namespace: string;
  /** The whole index without it. */
  readonly segment: string | undefined;
}

const PATH =
  /^\/v1\/namespaces\/(?<namespace>[a-z0-9][a-z0-9._-]{0,63})\/index(?:\/(?<segment>[0-9a-z-]{1,64}))?$/;
const RANGE = /^bytes=(?<from>\d{1,15})-(?<to>\d{1,15})?$/;
const PARTIAL_CONTENT = 206;
/** Many machines ask for the same list after a change. */
const MAX_KEPT_LISTS = 4;

/** Returns what a path offers; undefined for other paths. */
export function offeredPath(path: string): OfferedPath | undefined {
  const { namespace, segment } = PATH.exec(path)?.groups ?? {};
  return namespace === undefined ? undefined : { namespace, segment };
}

interface KeptList {
  readonly version: string;
  readonly body: Buffer;
}

export class IndexEndpoint {
  readonly #options: IndexEndpointOptions;
  /** Compressed lists by namespace, the last used last. */
  readonly #lists = new Map<string, KeptList>();

  constructor(options: IndexEndpointOptions) {
    this.#options = options;
  }

  /** Throws UNAUTHENTICATED and the like, FORBIDDEN, NAMESPACE_NOT_FOUND, and ENDPOINT_NOT_FOUND for a segment that is gone. */
  async handle(
    exchange: HttpExchange,
    offered: OfferedPath,
    services: EndpointServices,
  ): Promise<void> {
    const { authenticator } = services;
    const principal = await authenticator.authenticate(exchange, "token");
    requireMethod(exchange, ["GET"]);
    let outcome = "ok";
    let bytes = 0;
    try {
      bytes = await runInTurn(exchange, {
        owner: principal.id,
        services,
        work: async () => {
          // The turn may have taken long, so check the token again.
          await authenticator.confirm(exchange, "token");
          this.#requireShared();
          return offered.segment === undefined
            ? this.#sendList(exchange, principal, offered.namespace)
            : this.#sendPart(exchange, principal, { ...offered, segment: offered.segment });
        },
      });
    } catch (thrown) {
      outcome = exchange.clientGone.aborted ? "cancelled" : toSvcError(thrown).code;
      throw thrown;
    } finally {
      this.#record(exchange, { principal, offered, outcome, bytes });
    }
  }

  #requireShared(): void {
    if (this.#options.isShared) return;
    throw new SvcError("FORBIDDEN", "This server does not share its indexes.", {
      hint: "The people who run it can start it with --share-indexes. Without --from-remote, svc indexes the files on this machine.",
    });
  }

  async #sendList(
    exchange: HttpExchange,
    principal: CredentialPrincipal,
    namespace: string,
  ): Promise<number> {
    const { exports } = await this.#options.engine();
    const request = { principal, namespace };
    const version = await exports.version(request);
    const tag = `"${version}"`;
    const known = exchange.request.headers["if-none-match"];
    // With "*", a client asks only whether it may have the index.
    if (known === tag || known === "*") {
      sendBody(exchange, NOT_MODIFIED, undefined);
      return 0;
    }
    let kept = this.#lists.get(namespace);
    if (kept?.version !== version)
      kept = { version, body: gzip(JSON.stringify(await exports.list(request))) };
    this.#keep(namespace, kept);
    const headers = { ETag: tag };
    sendBody(exchange, 200, { type: "application/gzip", content: kept.body, headers });
    return kept.body.length;
  }

  #keep(namespace: string, list: KeptList): void {
    this.#lists.delete(namespace);
    this.#lists.set(namespace, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MAX_KEPT_LISTS && oldest !== undefined) this.#lists.delete(oldest);
  }

  async #sendPart(
    exchange: HttpExchange,
    principal: CredentialPrincipal,
    { namespace, segment }: OfferedPath & { readonly segment: string },
  ): Promise<number> {
    const { exports } = await this.#options.engine();
    const range = requestedRange(exchange);
    const part = await exports.part({ principal, namespace, segment, ...range });
    if (part === undefined) {
      throw new SvcError("ENDPOINT_NOT_FOUND", "The index no longer has this segment.");
    }
    const { bytes, total } = part;
    const { offset } = range;
    if (bytes.length === 0) throw unsatisfiable(exchange, total);
    const type = "application/octet-stream";
    const headers = {
      "Accept-Ranges": "bytes",
      "Content-Range": `bytes ${offset}-${offset + bytes.length - 1}/${total}`,
    };
    sendBody(exchange, PARTIAL_CONTENT, { type, content: bytes, headers });
    return bytes.length;
  }

  #record(
    { receivedAt }: HttpExchange,
    {
      principal,
      offered: { namespace },
      outcome,
      bytes,
    }: {
      readonly principal: CredentialPrincipal;
      readonly offered: OfferedPath;
      readonly outcome: string;
      readonly bytes: number;
    },
  ): void {
    const ms = Math.round(performance.now() - receivedAt);
    const { audit, logger } = this.#options;
    logger.info("call", { tool: "index", namespace, ms, outcome });
    const facts = { tool: "index", namespace, outcome, ms, items: 0, characters: bytes };
    audit({ principal: principal.id, ...facts, request: null });
  }
}

/** The part of a segment that a request names: all of it by default, but never more than a part at once. */
function requestedRange({ request }: HttpExchange): {
  readonly offset: number;
  readonly length: number;
} {
  const { from = "0", to } = RANGE.exec(request.headers.range ?? "bytes=0-")?.groups ?? {};
  const offset = Number(from);
  const end = to === undefined ? Infinity : Number(to) + 1;
  return { offset, length: Math.max(0, Math.min(MAX_PART_BYTES, end - offset)) };
}

function unsatisfiable({ response }: HttpExchange, total: number): SvcError {
  response.setHeader("Content-Range", `bytes */${total}`);
  return new SvcError(
    "INVALID_REQUEST",
    `The segment has only ${total} bytes, which does not include this range.`,
  );
}
