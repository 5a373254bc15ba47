import type { Agent } from "undici";
import * as v from "valibot";

import { NODE_PATH, SIGNATURE_HEADER } from "../../base/node-message.ts";
import { REPLIES, type SearchMessage, type SearchReply } from "./messages.ts";
import { isReplyTo, signMessage } from "./signature.ts";

const CONNECT_TIMEOUT_MS = 1000;
/** A round takes some 50 ms. After this time the node that asks is faster by itself. */
const REPLY_TIMEOUT_MS = 2000;

/** Characters of a reply that is an error, for the log. */
const MAX_SHOWN = 300;

interface WaitingMessage {
  readonly message: SearchMessage;
  readonly sent: PromiseWithResolvers<SearchReply>;
}

/** Sends messages to other nodes. Loads its client with the first one. */
export class NodeClient {
  readonly #secret: () => Promise<Buffer>;
  #agent: Promise<Agent> | undefined;
  /** Address -> messages that leave at the end of this turn. */
  readonly #waiting = new Map<string, WaitingMessage[]>();

  constructor(secret: () => Promise<Buffer>) {
    this.#secret = secret;
  }

  /**
   * Messages to one node in the same turn leave as one. Rejects if the node does not reply in time, with an error, or
   * without the right signature.
   */
  send(address: string, message: SearchMessage): Promise<SearchReply> {
    const waiting = this.#waiting.get(address) ?? [];
    const sent = Promise.withResolvers<SearchReply>();
    waiting.push({ message, sent });
    if (waiting.length > 1) return sent.promise;
    this.#waiting.set(address, waiting);
    queueMicrotask(() => {
      this.#waiting.delete(address);
      void this.#sendAll(address, waiting);
    });
    return sent.promise;
  }

  /** Never rejects. */
  async #sendAll(address: string, waiting: readonly WaitingMessage[]): Promise<void> {
    try {
      const messages = waiting.map(({ message }) => message);
      const { replies } = v.parse(REPLIES, await this.#post(address, { messages }));
      if (replies.length !== waiting.length) throw new Error(`${address} left out a reply`);
      for (const [at, reply] of replies.entries()) waiting[at]?.sent.resolve(reply);
    } catch (thrown) {
      for (const { sent } of waiting) sent.reject(thrown);
    }
  }

  async #post(address: string, content: object): Promise<unknown> {
    const body = JSON.stringify(content);
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
      throw new Error(`${address} is not a node of this database`);
    return JSON.parse(text);
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
          allowH2: false,
          headersTimeout: REPLY_TIMEOUT_MS,
          bodyTimeout: REPLY_TIMEOUT_MS,
        }),
    );
    return this.#agent;
  }
}
