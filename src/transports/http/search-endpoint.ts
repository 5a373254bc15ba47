import { startDeadline, untilAborted } from "../../base/deadline.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { Principal } from "../../credentials/authenticate.ts";
import type { Engine, SearchAnswer } from "../../engine/engine.ts";
import { requireJsonAccepted } from "./accept.ts";
import { requireJson } from "./body.ts";
import { requireMethod, type Exchange } from "./exchange.ts";
import { remainingMs, type EndpointTools } from "./mcp-endpoint.ts";
import { sendJson } from "./reply.ts";

interface SearchOptions {
  readonly engine: () => Promise<Engine>;
  readonly logger: Logger;
  readonly audit: (call: CallEvent) => void;
}

/** What becomes known of a search while it runs. */
interface Facts {
  readonly principal: Principal;
  query?: string;
  answer?: SearchAnswer;
}

/** `POST /v1/search`: the namespace of the key is searched, and nothing else can be named. */
export async function answerSearch(
  exchange: Exchange,
  options: SearchOptions,
  tools: EndpointTools,
): Promise<void> {
  const principal = await tools.door.admit(exchange, "key");
  requireMethod(exchange, ["POST"]);
  requireJson(exchange);
  requireJsonAccepted(exchange);
  const facts: Facts = { principal };
  let outcome = "ok";
  try {
    const body = parsed(await tools.bodies.read(exchange));
    await tools.waitingRoom.run(exchange, async () => {
      // The body may have taken long to come.
      await tools.door.confirm(exchange, "key");
      sendJson(exchange, 200, await search(body, { exchange, options, facts }));
    });
  } catch (thrown) {
    outcome = exchange.gone.aborted ? "cancelled" : toSvcError(thrown).code;
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
  }: { readonly exchange: Exchange; readonly options: SearchOptions; readonly facts: Facts },
): Promise<Record<string, unknown>> {
  const { readRestQuestion } = await import("../../tools/search/rest-search.ts");
  const { fullSearchRecord, searchRecord } = await import("../../tools/search/search-record.ts");
  const question = readRestQuestion(body);
  facts.query = question.query;
  const deadline = startDeadline(remainingMs(exchange));
  exchange.gone.addEventListener("abort", deadline.cancel, { once: true });
  try {
    const { signal, answerBy } = deadline;
    const engine = await untilAborted(options.engine(), signal);
    const { principal: caller } = facts;
    const namespace = namespaceOf(caller);
    const asked = engine.search({ ...question, namespace, caller, signal, answerBy });
    facts.answer = await untilAborted(asked, signal);
    const record = question.isWhole === true ? fullSearchRecord : searchRecord;
    return record(question.query, facts.answer);
  } finally {
    deadline.stop();
  }
}

/** A key has one. */
function namespaceOf({ namespaces }: Principal): string | undefined {
  return namespaces === "all" ? undefined : namespaces[0];
}

function report(
  { receivedAt }: Exchange,
  { logger, audit }: SearchOptions,
  { facts, outcome }: { readonly facts: Facts; readonly outcome: string },
): void {
  const { principal, query, answer } = facts;
  const ms = Math.round(performance.now() - receivedAt);
  const passages = answer?.passages ?? [];
  const items = passages.length;
  logger.info("call", { tool: "/v1/search", items, ms, outcome });
  audit({
    principal: principal.id,
    tool: "/v1/search",
    namespace: answer?.namespace ?? namespaceOf(principal) ?? null,
    outcome,
    ms,
    items,
    characters: passages.reduce((sum, { text }) => sum + text.length, 0),
    ...(query === undefined ? {} : { query }),
    request: null,
  });
}
