import { startDeadline } from "../../base/deadline.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import type { Engine } from "../../engine/api/engine.ts";
import type { SearchResult } from "../../engine/api/search.ts";
import { requireJsonAccepted } from "./accept.ts";
import { requireJson } from "./body.ts";
import { remainingMs, requireMethod, type HttpExchange } from "./exchange.ts";
import type { EndpointServices } from "./endpoint-services.ts";
import { sendJson } from "./reply.ts";
import { runInTurn } from "./run-in-turn.ts";

interface SearchOptions {
  readonly engine: () => Promise<Engine>;
  readonly logger: Logger;
  readonly audit: (call: CallEvent) => void;
}

/** Facts about a search, filled in while it runs. */
interface SearchFacts {
  readonly principal: CredentialPrincipal;
  query?: string;
  /** As requested. */
  namespace?: string | undefined;
  result?: SearchResult;
}

/** `POST /v1/search`: searches a namespace of the API key, by default its only one. */
export async function handleSearch(
  exchange: HttpExchange,
  options: SearchOptions,
  services: EndpointServices,
): Promise<void> {
  const principal = await services.authenticator.authenticate(exchange, "key");
  requireMethod(exchange, ["POST"]);
  requireJson(exchange);
  requireJsonAccepted(exchange);
  const facts: SearchFacts = { principal };
  let outcome = "ok";
  try {
    await runInTurn(exchange, {
      owner: principal.id,
      services,
      async work(text) {
        const body = parsed(text);
        // The body and the turn may have taken long, so check the key again.
        await services.authenticator.confirm(exchange, "key");
        sendJson(exchange, 200, await search(body, { exchange, options, facts }));
      },
    });
  } catch (thrown) {
    outcome = exchange.clientGone.aborted ? "cancelled" : toSvcError(thrown).code;
    throw thrown;
  } finally {
    report(exchange, options, { facts, outcome });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SvcError("PARSE_ERROR", "The body is not valid JSON.");
  }
}

async function search(
  body: unknown,
  {
    exchange,
    options,
    facts,
  }: {
    readonly exchange: HttpExchange;
    readonly options: SearchOptions;
    readonly facts: SearchFacts;
  },
): Promise<Record<string, unknown>> {
  const { parseRestQuery } = await import("../../tools/search/rest-search.ts");
  const { fullSearchRecord, searchRecord } = await import("../../tools/search/search-record.ts");
  const question = parseRestQuery(body);
  facts.query = question.query;
  facts.namespace = question.namespace;
  const { deadline, stop } = startDeadline(remainingMs(exchange));
  exchange.clientGone.addEventListener("abort", () => deadline.cancel(), { once: true });
  try {
    const { signal, answerBy } = deadline;
    const engine = await deadline.limit(options.engine());
    const { principal } = facts;
    const pending = engine.search({
      ...question,
      principal,
      signal,
      deadline: answerBy,
    });
    facts.result = await deadline.limit(pending);
    const record = question.showsFullPassages === true ? fullSearchRecord : searchRecord;
    return record(question.query, facts.result);
  } finally {
    stop();
  }
}

function report(
  { receivedAt }: HttpExchange,
  { logger, audit }: SearchOptions,
  { facts, outcome }: { readonly facts: SearchFacts; readonly outcome: string },
): void {
  const { principal, query, namespace, result } = facts;
  const ms = Math.round(performance.now() - receivedAt);
  const passages = result?.passages ?? [];
  const items = passages.length;
  logger.info("call", { tool: "/v1/search", items, ms, outcome });
  audit({
    principal: principal.id,
    tool: "/v1/search",
    namespace: result?.namespace ?? namespace ?? principal.onlyNamespace ?? null,
    outcome,
    ms,
    items,
    characters: passages.reduce((sum, { text }) => sum + text.length, 0),
    ...(query === undefined ? {} : { query }),
    request: null,
  });
}
