// The suites speak only HTTP: this bridge to a server on standard input and output lets them test that transport as
// well. Each POST becomes one line. The response comes back as JSON, or as a stream of events if a notification comes
// first.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { isObject, type JsonObject } from "../../src/mcp/message.ts";
import { listen, type Listening } from "./auth-proxy.ts";

/** An unanswered request; the bridge gives it an id that no other client has. */
interface Pending {
  readonly clientId: unknown;
  readonly progressToken: unknown;
  readonly response: ServerResponse;
}

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const STATUSES: Readonly<Record<number, number>> = { [-32_601]: 404, [-32_603]: 500 };

export function startStdioBridge(child: ChildProcessWithoutNullStreams): Promise<Listening> {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const write = (message: JsonObject): void =>
    void child.stdin.write(`${JSON.stringify(message)}\n`);

  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = objectIn(line);
    const reply = pending.get(Number(message["id"]));
    if (reply !== undefined) {
      pending.delete(Number(message["id"]));
      finish(reply, { ...message, id: reply.clientId });
      return;
    }
    const found = listenerOf(message, pending);
    if (found !== undefined) sendEvent(found.response, withId(message, found.clientId));
  });

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = objectIn(body);
      if (!("id" in message) || !("method" in message)) {
        write(message);
        return response.writeHead(202).end();
      }
      const id = (lastId += 1);
      pending.set(id, {
        clientId: message["id"],
        progressToken: metaOf(message["params"])["progressToken"],
        response,
      });
      response.on("close", () => {
        if (!pending.delete(id)) return;
        write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      });
      return write({ ...message, id });
    });
  });
  return listen(server);
}

/** The request that a notification belongs to: it names its progress token, or its subscription. */
function listenerOf(
  { params }: JsonObject,
  pending: ReadonlyMap<number, Pending>,
): Pending | undefined {
  const subscription = metaOf(params)[SUBSCRIPTION];
  if (typeof subscription === "number") return pending.get(subscription);
  const token = isObject(params) ? params["progressToken"] : undefined;
  return token === undefined
    ? undefined
    : [...pending.values()].find(({ progressToken }) => progressToken === token);
}

/** A notification of a subscription, with the id that its client knows. */
function withId(message: JsonObject, clientId: unknown): JsonObject {
  const { params } = message;
  const meta = metaOf(params);
  if (!isObject(params) || !(SUBSCRIPTION in meta)) return message;
  return { ...message, params: { ...params, _meta: { ...meta, [SUBSCRIPTION]: clientId } } };
}

function finish({ response }: Pending, reply: JsonObject): void {
  if (response.headersSent) {
    sendEvent(response, reply);
    response.end();
    return;
  }
  const { error } = reply;
  const status = isObject(error) ? (STATUSES[Number(error["code"])] ?? 400) : 200;
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(reply));
}

function sendEvent(response: ServerResponse, message: JsonObject): void {
  if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function metaOf(value: unknown): JsonObject {
  const meta = isObject(value) ? value["_meta"] : undefined;
  return isObject(meta) ? meta : {};
}

function objectIn(line: string): JsonObject {
  const message: unknown = JSON.parse(line);
  if (!isObject(message)) throw new Error(`not a message: ${line}`);
  return message;
}
