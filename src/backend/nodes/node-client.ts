import type { Agent } from "undici";
import * as v from "valibot";

import { NODE_PATH, SIGNATURE_HEADER } from "../../base/node-message.ts";
import { SEARCH_REPLY, type SearchMessage, type SearchReply } from "./messages.ts";
import { isReplyTo, signMessage } from "./signature.ts";

const CONNECT_TIMEOUT_MS = 1000;
/** A round takes some 50 ms. After this time the node that asks is faster by itself. */
const REPLY_TIMEOUT_MS = 2000;

/** Characters of a reply that is an error, for the log. */
const MAX_SHOWN = 300;

/** Sends messages to other nodes. Loads its client with the first one. */
export class NodeClient {
  readonly #secret: () => Promise<Buffer>;
  #agent: Promise<Agent> | undefined;

  constructor(secret: () => Promise<Buffer>) {
    this.#secret = secret;
  }

  /** Rejects if the node does not reply in time, with an error, or without the right signature. */
  async send(address: string, message: SearchMessage): Promise<SearchReply> {
    const body = JSON.stringify(message);
    const secret = await this.#secret();
    const signature = signMessage(secret, body);
    const agent = await this.#open();
    const { pathname, origin } = new URL(address);
    const reply = await agent.request({
      origin,
      path: `${pathname.replace(/\/$/, "")}${NODE_PATH}`,
      method: "POST",
      headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature },
      body,
    });
    const text = await reply.body.text();
    const given = reply.headers[SIGNATURE_HEADER];
    const signed = { body: text, signature: typeof given === "string" ? given : "" };
    if (reply.statusCode !== 200) {
      throw new Error(`${address} replied with ${reply.statusCode}: ${text.slice(0, MAX_SHOWN)}`);
    }
    if (!isReplyTo(secret, signature, signed))
      throw new Error(`${address} is no node of this database`);
    return v.parse(SEARCH_REPLY, JSON.parse(text));
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  #open(): Promise<Agent> {
    this.#agent ??= import("undici").then(
      // In the bundle, a CommonJS module has only its default export.
      ({ default: undici }) =>
        new undici.Agent({
          // Set explicitly, because an environment variable of Node can turn off the check of certificates.
          connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true },
          headersTimeout: REPLY_TIMEOUT_MS,
          bodyTimeout: REPLY_TIMEOUT_MS,
        }),
    );
    return this.#agent;
  }
}
