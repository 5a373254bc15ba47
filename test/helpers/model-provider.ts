// A simulated model provider: a real server that records everything it receives.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

export interface Received {
  readonly method: string;
  readonly path: string;
  /** Names and values as received, one after the other. */
  readonly rawHeaders: readonly string[];
  readonly key: string;
  readonly body: string;
  /** Settles when the connection is closed or the answer is sent; true if it was complete. */
  readonly answered: Promise<boolean>;
}

/** Answers one request in any way. */
export type Answerer = (received: Received, response: ServerResponse) => void;

export interface ModelProvider {
  readonly origin: string;
  /** With the path of its API. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Requests to chat/completions. */
  readonly rankings: () => readonly Received[];
  /** Resolves with the first matching request, past or future. */
  readonly until: (fits: (received: Received) => boolean) => Promise<Received>;
  /** Its behaviour from now on. */
  readonly become: (manners: Manners) => void;
  readonly close: () => Promise<void>;
}

export interface Manners {
  /** Keys it accepts; only KEY by default. */
  readonly accepts?: (key: string) => boolean;
  readonly models?: readonly string[];
  /** The answer of its model to a query; by default the passages in reverse order. */
  readonly says?: (prompt: Prompt) => string;
  /** Replaces all of this. */
  readonly answer?: Answerer | undefined;
}

export interface Prompt {
  readonly model: string;
  readonly question: string;
  readonly passages: readonly {
    readonly number: number;
    readonly path: string;
    readonly symbol: string;
    readonly text: string;
  }[];
  readonly system: string;
}

export const KEY = "prv-0123456789-canary-of-a-provider-key";

export async function startProvider(manners: Manners = {}): Promise<ModelProvider> {
  let now = manners;
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { promise: answered, resolve } = Promise.withResolvers<boolean>();
    response.once("close", () => resolve(response.writableFinished));
    const one = {
      method: request.method ?? "",
      path: request.url ?? "",
      rawHeaders: request.rawHeaders,
      key: /^Bearer (?<key>.*)$/.exec(request.headers.authorization ?? "")?.groups?.["key"] ?? "",
      body: await textOf(request),
      answered,
    };
    received.push(one);
    for (const look of waiting) look();
    (now.answer ?? politely(now))(one, response);
  };
  const server = createServer((request, response) => void take(request, response).catch(() => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/v1`,
    received,
    rankings: () => received.filter(({ path }) => path.endsWith("/chat/completions")),
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    become: (next) => {
      now = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function politely({
  accepts = (key) => key === KEY,
  models = ["ranker-1"],
  says = backwards,
}: Manners): Answerer {
  return ({ key, path, body }, response) => {
    if (!accepts(key)) {
      // Like OpenAI, with the key in the message.
      sendJson(response, 401, { error: { message: `Incorrect API key provided: ${key}` } });
    } else if (path === "/v1/models") {
      const data = models.map((id) => ({ id, object: "model" }));
      sendJson(response, 200, { object: "list", data });
    } else if (path === "/v1/chat/completions") {
      sendJson(response, 200, completion(says(promptOf(body))));
    } else sendJson(response, 404, {});
  };
}

export function completion(content: unknown): object {
  return { object: "chat.completion", choices: [{ message: { role: "assistant", content } }] };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

function backwards({ passages }: Prompt): string {
  return JSON.stringify({ order: passages.map(({ number }) => number).toReversed() });
}

export function promptOf(body: string): Prompt {
  const { model, messages } = JSON.parse(body);
  return {
    model,
    system: messages[0].content,
    ...JSON.parse(messages[1].content),
  };
}
