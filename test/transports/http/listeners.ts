// A server whose only credential gains and loses rights while clients listen, and requests that listen.
import type { RightsWatcher } from "../../../src/credentials/rights-watcher.ts";
import type { HttpOptions } from "../../../src/transports/http/server.ts";
import { fixtureTool, modernParams, type Wire as Message } from "../../helpers/rpc.ts";
import { memoryAccess } from "./memory-access.ts";
import {
  message,
  open,
  requestText,
  serve,
  TOKEN,
  TOKEN_RECORD,
  type TestServer,
  type Wire,
} from "./serve.ts";

const read = fixtureTool("read", async () => ({}));
const write = fixtureTool("write", async () => ({}), { readOnly: false });

export interface ChangingServer extends TestServer {
  /** Simulates another process that changes or revokes the credential. */
  readonly change: (to: "read-only" | "writing" | "revoked") => Promise<void>;
  readonly expireIn: (ms: number) => Promise<void>;
  readonly rights: RightsWatcher;
  /** How often the credential was used, and how often it was only rechecked. */
  readonly counts: { used: number; looked: number };
}

/** Serves two tools; a read-only credential may call the first. */
export async function serveChanging(limits: HttpOptions["limits"] = {}): Promise<ChangingServer> {
  const access = await memoryAccess([{ ...TOKEN_RECORD, secret: TOKEN }], 5);
  const { rights } = access;
  const counts = { used: 0, looked: 0 };
  const server = await serve([read, write], {
    rights,
    limits,
    authenticate: (secret, kind, how) => {
      counts[how?.shouldTouchLastUsed === false ? "looked" : "used"] += 1;
      return access.authenticateAs(secret, kind, how);
    },
  });
  const changes = {
    "read-only": { readOnly: true },
    writing: { readOnly: false },
    revoked: { revokedAt: 1 },
  };
  return {
    ...server,
    rights,
    counts,
    change: (to) => access.change(TOKEN_RECORD.id, changes[to]),
    expireIn: (ms) => access.change(TOKEN_RECORD.id, { expiresAt: Date.now() + ms }),
  };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Returns a request of revision 2026-07-28 with its required headers. */
export function modernText(
  server: TestServer,
  method: string,
  {
    params = {},
    id = 1,
    headers = {},
  }: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly id?: string | number;
    readonly headers?: Headers;
  } = {},
): string {
  const { name } = params;
  return requestText(server, {
    body: message(method, modernParams(params), id),
    headers: {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
      ...headers,
    },
  });
}

export function listenText(server: TestServer, id: string | number, headers?: Headers): string {
  const params = { notifications: { toolsListChanged: true } };
  return modernText(server, "subscriptions/listen", { params, id, ...(headers && { headers }) });
}

export function getText(server: TestServer, headers: Headers = {}): string {
  return requestText(server, {
    line: "GET /mcp HTTP/1.1",
    body: "",
    headers: {
      Accept: "text/event-stream",
      "Content-Type": undefined,
      "Content-Length": undefined,
      ...headers,
    },
  });
}

/** Opens two listeners, one of each era, and waits until the server confirms both. */
export async function listenBoth(server: TestServer): Promise<{ post: Wire; get: Wire }> {
  const [post, get] = [open(server), open(server)];
  post.send(listenText(server, "listen:0"));
  get.send(getText(server));
  await post.until(/acknowledged/);
  await get.until(/\n:\n\n/);
  return { post, get };
}

/** Returns the messages that came as events. */
export function eventsIn(text: string): Message[] {
  return [...text.matchAll(/event: message\ndata: (.*)\n\n/g)].map(([, data = ""]): Message =>
    JSON.parse(data),
  );
}

/** Returns the number of open streams according to the metrics. */
export async function streamsOf({ url }: TestServer): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  return Number(/^svc_event_streams (\d+)$/m.exec(await response.text())?.[1]);
}
