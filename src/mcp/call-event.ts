import type { CallEvent } from "../credentials/audit-event.ts";
import { isObject, replyId, type Call, type JsonObject, type Reply } from "./message.ts";
import type { ConnectionState } from "./method-context.ts";

/** Facts about a call, filled in while it runs. */
export interface CallFacts {
  /** Id of the caller; null until authenticated. */
  principal: string | null;
  /** Namespace of the answer. */
  namespace?: string | undefined;
  /** True once its tool was called: a later failure is about its arguments or its work. */
  isInTool?: boolean;
}

export interface EndedCall {
  readonly message: Call;
  /** Undefined when it was cancelled. */
  readonly reply: Reply | undefined;
  readonly facts: CallFacts;
  readonly connection: ConnectionState;
  readonly ms: number;
  readonly outcome: string;
}

/** Arguments that contain the query of a tool. */
const QUERY_ARGUMENTS = ["query", "pattern", "name", "symbol", "target", "targets"] as const;

/** A call as an event of the audit log. */
export function callEvent({
  message,
  reply,
  facts,
  connection,
  ms,
  outcome,
}: EndedCall): CallEvent {
  const params = isObject(message.params) ? message.params : {};
  const input = isObject(params["arguments"]) ? params["arguments"] : {};
  const texts = textsOf(reply);
  const query = queryOf(input);
  return {
    principal: facts.principal,
    tool: typeof params["name"] === "string" ? params["name"] : message.method,
    namespace: namespaceOf(input, { facts, connection }),
    outcome,
    ms,
    items: texts.length,
    characters: texts.reduce((sum, { length }) => sum + length, 0),
    ...(query === undefined ? {} : { query }),
    request: message.id ?? null,
  };
}

/** Fields of the log line of a call, without its arguments. */
export function callFields(message: Call, reply: Reply | undefined): JsonObject {
  const name = isObject(message.params) ? message.params["name"] : undefined;
  return {
    id: replyId(message),
    tool: typeof name === "string" ? name.slice(0, 80) : null,
    items: textsOf(reply).length,
  };
}

/** The requested namespace; else that of the answer; else the session's own, when known. */
function namespaceOf(
  input: JsonObject,
  { facts, connection }: Pick<EndedCall, "facts" | "connection">,
): string | null {
  const { namespace } = input;
  if (typeof namespace === "string") return namespace;
  if (facts.namespace !== undefined) connection.ownNamespace = facts.namespace;
  return facts.principal === null ? null : (connection.ownNamespace ?? null);
}

function queryOf(input: JsonObject): string | undefined {
  for (const name of QUERY_ARGUMENTS) {
    const value = input[name];
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map(String).join("\n");
  }
  return undefined;
}

function textsOf(reply: Reply | undefined): readonly string[] {
  const items = reply !== undefined && "result" in reply ? reply.result["content"] : undefined;
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const text = isObject(item) ? item["text"] : undefined;
    return typeof text === "string" ? text : "";
  });
}
