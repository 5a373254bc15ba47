// A server with the real transport over the index of a project, and a client that sends any request.
import { request, type IncomingHttpHeaders } from "node:http";
import { text as textOf } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { CredentialPrincipal } from "../../../src/credentials/authenticate.ts";
import { RightsWatcher } from "../../../src/credentials/rights-watcher.ts";
import { tools } from "../../../src/tools/registry.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import {
  serveHttp,
  type HttpOptions,
  type HttpServer,
} from "../../../src/transports/http/server.ts";
import { project, request as engineRequest, type Project } from "../../helpers/project.ts";
import { LOCAL, recordingLogger, type LogEntry } from "../../helpers/rpc.ts";

export interface ServedProject extends HttpServer {
  readonly project: Project;
  readonly port: number;
  readonly log: readonly LogEntry[];
}

/** A token for all namespaces. */
export const TOKEN = "token-of-all";
/** A token for the namespace "docs". */
export const NARROW_TOKEN = "token-of-docs";
/** An API key of the namespace "project". */
export const KEY = "key-of-project";

const NAMESPACES: Readonly<Record<string, "all" | readonly string[]>> = {
  [TOKEN]: "all",
  [NARROW_TOKEN]: ["docs"],
  [KEY]: ["project"],
};

/** Indexes the files, if there are any, and starts the server. It ends with the test. */
export async function serveProject(
  files: Readonly<Record<string, string>>,
  options: Partial<HttpOptions> = {},
  offered: readonly Tool[] = tools,
): Promise<ServedProject> {
  const made = project(files, { namespace: "project" });
  onTestFinished(() => made.dispose());
  if (Object.keys(files).length > 0) await made.engine.index(engineRequest());
  const { logger, entries } = recordingLogger();
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: {
      tools: offered,
      version: "0.8.0",
      instructions: "Ask for code.",
      engine: () => Promise.resolve(made.engine),
      logger,
      audit: () => {},
    },
    authenticate: (secret, wanted) => Promise.resolve().then(() => principal(secret, wanted)),
    rights: new RightsWatcher({ revision: () => Promise.resolve(0) }),
    ready: () => Promise.resolve(),
    indexStatus: (signal) => made.engine.status({ principal: LOCAL, detail: "summary", signal }),
    ...options,
  });
  onTestFinished(() => server.end());
  return { ...server, project: made, port: Number(new URL(server.url).port), log: entries };
}

function principal(secret: string, kind: CredentialPrincipal["kind"]): CredentialPrincipal {
  const namespaces = NAMESPACES[secret];
  if (namespaces === undefined || !secret.startsWith(kind)) {
    throw new SvcError("UNAUTHENTICATED", "The credential is not known.");
  }
  return new CredentialPrincipal({
    id: `${kind}_1`,
    kind,
    name: "test",
    namespaces,
    readOnly: false,
    createdAt: 0,
    digest: "",
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Wish {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request on its own connection. */
export async function ask(
  { port }: Pick<ServedProject, "port">,
  path: string,
  { method = "GET", headers = {}, body }: Wish = {},
): Promise<Answer> {
  const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false });
  const response = await new Promise<Parameters<typeof textOf>[0] & Head>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
    sent.end(body);
  });
  const { statusCode = 0, headers: received } = response;
  return { status: statusCode, headers: received, body: await textOf(response) };
}

interface Head {
  readonly statusCode?: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

export function search(
  server: Pick<ServedProject, "port">,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(server, "/v1/search", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": KEY, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function callTool(
  server: Pick<ServedProject, "port">,
  name: string,
  input: unknown,
): Promise<Answer> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  return ask(server, "/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ ...message, params: { name, arguments: input } }),
  });
}
