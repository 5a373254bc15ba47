// `POST /v1/search`, and the calls that show code (docs/decisions/0071-code-browser.md). Each takes an API key and a turn
// in the queue, and is audited.
import { startDeadline } from "../../base/deadline.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import type { Engine } from "../../engine/api/engine.ts";
import type { ParsedCall, RestAnswer } from "../../tools/rest/rest-call.ts";
import { requireJsonAccepted } from "./accept.ts";
import { requireJson } from "./body.ts";
import type { EndpointServices } from "./endpoint-services.ts";
import { remainingMs, requireMethod, type HttpExchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";
import { runInTurn } from "./run-in-turn.ts";

const SEARCH_PATH = "/v1/search";

/** Their definitions are loaded with the first call; a test compares the paths. */
export const REST_PATHS = [
  SEARCH_PATH,
  "/v1/text",
  "/v1/symbols",
  "/v1/folder",
  "/v1/file",
  "/v1/colors",
  "/v1/name",
  "/v1/references",
  "/v1/why",
] as const;

interface RestOptions {
  readonly engine: () => Promise<Engine>;
  readonly logger: Logger;
  readonly audit: (call: CallEvent) => void;
}

/** Facts about a call, filled in while it runs. */
interface CallFacts {
  readonly principal: CredentialPrincipal;
  call?: ParsedCall;
  answer?: RestAnswer;
}

/** Answers a call at one of REST_PATHS. */
export async function handleRest(
  exchange: HttpExchange,
  options: RestOptions,
  services: EndpointServices,
): Promise<void> {
  const principal = await services.authenticator.authenticate(exchange, "key");
  requireMethod(exchange, ["POST"]);
  requireJson(exchange);
  requireJsonAccepted(exchange);
  const facts: CallFacts = { principal };
  let outcome = "ok";
  try {
    await runInTurn(exchange, {
      owner: principal.id,
      services,
      async work(text) {
        const body = parsedJson(text);
        // The body and the turn may have taken long, so check the key again.
        await services.authenticator.confirm(exchange, "key");
        facts.call = await parsedCall(exchange.path, body);
        facts.answer = await run(facts.call, { exchange, options, principal });
        sendJson(exchange, 200, facts.answer.record);
      },
    });
  } catch (thrown) {
    outcome = exchange.clientGone.aborted ? "cancelled" : toSvcError(thrown).code;
    throw thrown;
  } finally {
    report(exchange, options, { facts, outcome });
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SvcError("PARSE_ERROR", "The body is not valid JSON.");
  }
}

async function parsedCall(path: string, body: unknown): Promise<ParsedCall> {
  if (path === SEARCH_PATH) {
    const { parseSearchCall } = await import("../../tools/search/search-call.ts");
    return parseSearchCall(body);
  }
  const { REST_CALLS } = await import("../../tools/rest/rest-calls.ts");
  const definition = REST_CALLS.find((one) => one.path === path);
  if (definition === undefined) throw new Error(`no call is defined for ${path}`);
  return definition.parse(body);
}

async function run(
  call: ParsedCall,
  {
    exchange,
    options,
    principal,
  }: {
    readonly exchange: HttpExchange;
    readonly options: RestOptions;
    readonly principal: CredentialPrincipal;
  },
): Promise<RestAnswer> {
  const { deadline, stop } = startDeadline(remainingMs(exchange));
  exchange.clientGone.addEventListener("abort", () => deadline.cancel(), { once: true });
  try {
    const { signal, answerBy } = deadline;
    const engine = await deadline.limit(options.engine());
    const isLocal = isOnThisMachine(exchange);
    return await deadline.limit(
      call.run({ engine, principal, signal, deadline: answerBy, isLocal }),
    );
  } finally {
    stop();
  }
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** True when the client is on this machine and knows it by a name of its own: a proxy may pass on requests of others. */
function isOnThisMachine({ address, request }: HttpExchange): boolean {
  const isForwarded = request.headers["x-forwarded-for"] !== undefined;
  return !isForwarded && LOOPBACK.test(address) && LOCAL_HOST.test(request.headers.host ?? "");
}

function report(
  { path, receivedAt }: HttpExchange,
  { logger, audit }: RestOptions,
  { facts, outcome }: { readonly facts: CallFacts; readonly outcome: string },
): void {
  const { principal, call, answer } = facts;
  const ms = Math.round(performance.now() - receivedAt);
  const items = answer?.items ?? 0;
  logger.info("call", { tool: path, items, ms, outcome });
  audit({
    principal: principal.id,
    tool: path,
    namespace: answer?.record.namespace ?? call?.namespace ?? principal.onlyNamespace ?? null,
    outcome,
    ms,
    items,
    characters: answer?.characters ?? 0,
    ...(call === undefined ? {} : { query: call.subject }),
    request: null,
  });
}
