// `POST /internal/v1/search`: other nodes of a team let this one search in shards. Messages are signed with the secret of
// the nodes' database. They do not wait in the queue of calls: the call that they are part of has waited on its node.

import { SIGNATURE_HEADER, type SignedText } from "../../base/node-message.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { decodeBody, requireJson, type BodyReader } from "./body.ts";
import { sendBody } from "./reply.ts";

/** Answers a message of another node. Throws UNAUTHENTICATED. */
export type AnswerNode = (message: SignedText) => Promise<SignedText>;

export async function handleNode(
  exchange: HttpExchange,
  answer: AnswerNode,
  bodies: BodyReader,
): Promise<void> {
  requireMethod(exchange, ["POST"]);
  requireJson(exchange);
  const given = exchange.request.headers[SIGNATURE_HEADER];
  const signature = typeof given === "string" ? given : "";
  const reply = await bodies.use(exchange, exchange.clientGone, (bytes) =>
    answer({ body: decodeBody(bytes), signature }),
  );
  const headers = { [SIGNATURE_HEADER]: reply.signature };
  sendBody(exchange, 200, { type: "application/json", content: reply.body, headers });
}
