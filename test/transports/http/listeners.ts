// A server whose only credential gains and loses rights while clients listen, and requests that listen.
import { SvcError } from "../../../src/base/errors.ts";
import { CredentialPrincipal } from "../../../src/credentials/authenticate.ts";
import { RightsWatcher } from "../../../src/credentials/rights-watcher.ts";
import type { HttpOptions } from "../../../src/transports/http/server.ts";
import { fixtureTool, modernParams, type Wire as Message } from "../../helpers/rpc.ts";
import { message, open, requestText, serve, TOKEN, type TestServer, type Wire } from "./serve.ts";

const read = fixtureTool("read", async () => ({}));
const write = fixtureTool("write", async () => ({}), { readOnly: false });

export interface ChangingServer extends TestServer {
  /** Simulates another process that changes or revokes the credential. */
  readonly change: (to: "read-only" | "writing" | "revoked") => void;
  readonly expireIn: (ms: number) => void;
  readonly rights: RightsWatcher;
  /** How often the credential was used, and how often it was only rechecked. */
  readonly asked: { used: number; looked: number };
}

/** Serves two tools; a read-only credential may call the first. */
export async function serveChanging(limits: HttpOptions["limits"] = {}): Promise<ChangingServer> {
  let [revision, state, expiresAt] = [1, "writing", Infinity];
  const asked = { used: 0, looked: 0 };
  const rights = new RightsWatcher({ revision: async () => revision, intervalMs: 5 });
  const server = await serve([read, write], {
    rights,
    limits,
    authenticate: async (secret, kind, { shouldTouchLastUsed } = { shouldTouchLastUsed: true }) => {
      asked[shouldTouchLastUsed ? "used" : "looked"] += 1;
      if (secret !== TOKEN) throw new SvcError("UNAUTHENTICATED", "The credential is not known.");
      if (state === "revoked") throw new SvcError("CREDENTIAL_REVOKED", "It was revoked.");
      if (Date.now() >= expiresAt) throw new SvcError("TOKEN_EXPIRED", "It has expired.");
      const readOnly = state === "read-only";
      const rest = { name: "test", namespaces: "all", createdAt: 0, digest: "" } as const;
      return new CredentialPrincipal({ id: "token_1", kind, readOnly, expiresAt, ...rest });
    },
  });
  return {
    ...server,
    rights,
    asked,
    change(to) {
      state = to;
      revision += 1;
    },
    expireIn(ms) {
      expiresAt = Date.now() + ms;
      revision += 1;
    },
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
