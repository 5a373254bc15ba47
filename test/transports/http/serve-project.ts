// A server with the real transport over the index of a project, and a client that sends any request.
import { execFileSync } from "node:child_process";
import { request, type IncomingHttpHeaders } from "node:http";
import { text as textOf } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import type { CallEvent } from "../../../src/credentials/audit-event.ts";
import { tools } from "../../../src/tools/registry.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import {
  serveHttp,
  type HttpOptions,
  type HttpServer,
} from "../../../src/transports/http/server.ts";
import { createProject, request as engineRequest, type Project } from "../../helpers/project.ts";
import { LOCAL, recordingLogger, type LogEntry } from "../../helpers/rpc.ts";
import { memoryAccess, SECRETS } from "./memory-access.ts";

export interface ServedProject extends HttpServer {
  readonly project: Project;
  readonly port: number;
  readonly log: readonly LogEntry[];
  /** The events for the audit log. */
  readonly audited: readonly CallEvent[];
}

/** A token for all namespaces. */
export const TOKEN = SECRETS.token;
/** A token for the namespace "docs". */
export const NARROW_TOKEN = SECRETS.otherToken;
/** An API key of the namespace "project". */
export const KEY = SECRETS.key;

const CREDENTIALS = [
  { secret: TOKEN, id: "token_1", kind: "token", namespaces: "all" },
  { secret: NARROW_TOKEN, id: "token_2", kind: "token", namespaces: ["docs"] },
  { secret: KEY, id: "key_1", kind: "key", namespaces: ["project"] },
] as const;

/** Indexes the files, if there are any, and starts the server. It ends with the test. */
export async function serveProject(
  files: Readonly<Record<string, string>>,
  options: Partial<HttpOptions> = {},
  offered: readonly Tool[] = tools,
  /** A project that is disposed of elsewhere; by default one in memory. */
  given?: Project,
): Promise<ServedProject> {
  const project = given ?? createProject(files, { namespace: "project" });
  if (given === undefined) onTestFinished(() => project.dispose());
  if (Object.keys(files).length > 0) await project.engine.index(engineRequest());
  const { logger, entries } = recordingLogger();
  const audited: CallEvent[] = [];
  const { authenticateAs, rights } = await memoryAccess(CREDENTIALS);
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: {
      tools: offered,
      version: "0.8.0",
      instructions: "Ask for code.",
      engine: () => Promise.resolve(project.engine),
      logger,
      audit: (one) => void audited.push(one),
    },
    authenticate: authenticateAs,
    rights,
    ready: () => Promise.resolve(),
    indexStatus: (signal) => project.engine.status({ principal: LOCAL, detail: "summary", signal }),
    ...options,
  });
  onTestFinished(() => server.end());
  return { ...server, project, port: Number(new URL(server.url).port), log: entries, audited };
}

/** Makes a repository of a project, with one commit. Returns what runs git there. */
export function committed(root: string, message: string): (...words: readonly string[]) => string {
  const user = ["-c", "user.name=me", "-c", "user.email=me@example.org"];
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", root, ...user, ...words], { encoding: "utf8" }).trim();
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", message);
  return git;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request on its own connection. */
export async function ask(
  { port }: Pick<ServedProject, "port">,
  path: string,
  { method = "GET", headers = {}, body }: RequestOptions = {},
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
