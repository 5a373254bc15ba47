import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { SignedText } from "../../base/node-message.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { Shards } from "../../index/shards/port.ts";
import { MESSAGES, type SearchMessage, type SearchReply } from "./messages.ts";
import { NodeClient } from "./node-client.ts";
import { NODE_INTERVAL_MS, type NodeDirectory } from "./node-directory.ts";
import type { KnownNodes } from "./node-shards.ts";
import type { Authorize, SearchNodes } from "./port.ts";
import { SearchHost } from "./search-host.ts";
import { requireSignature, signReply } from "./signature.ts";

interface TeamNodesOptions {
  /** The address under which other nodes reach this process. */
  readonly address: string;
  readonly directory: NodeDirectory;
  /** The indexes of this machine. */
  readonly shards: Pick<Shards, "shard">;
  readonly logger: Pick<Logger, "warn">;
}

/** The nodes that are in the directory. */
export class TeamNodes implements SearchNodes, KnownNodes {
  readonly own: string;
  readonly #options: TeamNodesOptions;
  readonly #host: SearchHost;
  readonly #client = new NodeClient(() => this.#secret());
  #knownSecret: Promise<Buffer> | undefined;
  #addresses: readonly string[] = [];
  /** In milliseconds of `performance.now`. */
  #readAt = -Infinity;
  #announcing: NodeJS.Timeout | undefined;

  constructor(options: TeamNodesOptions) {
    this.#options = options;
    this.own = options.address;
    this.#host = new SearchHost(options.shards);
  }

  readonly join = (): void => {
    const announce = oneAtATime(() => this.#try(() => this.#options.directory.announce(this.own)));
    announce();
    this.#announcing = setInterval(announce, NODE_INTERVAL_MS).unref();
  };

  /** The last list is good enough: nobody waits for a newer one. */
  readonly addresses = async (): Promise<readonly string[]> => {
    const isFirst = this.#readAt === -Infinity;
    const now = performance.now();
    if (now - this.#readAt >= NODE_INTERVAL_MS) {
      this.#readAt = now;
      const reading = this.#readAddresses();
      if (isFirst) await reading;
    }
    return this.#addresses;
  };

  readonly send = (address: string, message: SearchMessage): Promise<SearchReply> =>
    this.#client.send(address, message);

  readonly answer = async (message: SignedText, authorize: Authorize): Promise<SignedText> => {
    const secret = await this.#secret();
    requireSignature(secret, message);
    const messages = parseMessages(message.body);
    const replies = await Promise.all(messages.map((one) => this.#host.answer(one, authorize)));
    const body = JSON.stringify({ replies });
    return { body, signature: signReply(secret, message.signature, body) };
  };

  readonly close = async (): Promise<void> => {
    clearInterval(this.#announcing);
    this.#host.close();
    await this.#client.close();
    if (this.#announcing === undefined) return;
    await this.#try(() => this.#options.directory.retire(this.own));
  };

  async #readAddresses(): Promise<void> {
    const found = await this.#try(() => this.#options.directory.addresses());
    this.#addresses = found ?? this.#addresses;
  }

  async #secret(): Promise<Buffer> {
    this.#knownSecret ??= this.#options.directory.secret();
    try {
      return await this.#knownSecret;
    } catch (thrown) {
      this.#knownSecret = undefined;
      throw thrown;
    }
  }

  /** Without the database, nodes go on with what they know. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.logger.warn("the list of nodes was not reached", { error });
      return undefined;
    }
  }
}

function parseMessages(body: string): readonly SearchMessage[] {
  try {
    return v.parse(MESSAGES, JSON.parse(body)).messages;
  } catch (cause) {
    throw new SvcError("INVALID_REQUEST", "The message of the other node cannot be read.", {
      hint: "Use the same version of svc on all nodes.",
      cause,
    });
  }
}
