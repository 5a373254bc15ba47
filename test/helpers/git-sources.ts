// An engine that may fetch, repositories for it, and a server that keeps it waiting.
import { createServer, type Server } from "node:net";

import { expect, onTestFinished } from "vitest";

import { fetchRepository } from "../../src/providers/git-fetch.ts";
import { gitRepository, type GitRepository } from "./git-repository.ts";
import { createProject, request, SEARCH, type Project } from "./project.ts";

/** An engine that may fetch, in an empty workspace. */
export function fetchingProject(options: Parameters<typeof createProject>[1] = {}): Project {
  const project = createProject({ "readme.md": "# Workspace\n" }, { fetchRepository, ...options });
  onTestFinished(project.dispose);
  return project;
}

export function upstream(files: Readonly<Record<string, string>>): GitRepository & { url: string } {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  repository.commit(files);
  return { ...repository, url: `file://${repository.path}` };
}

export async function found(
  { engine }: Project,
  query: string,
  namespace: string,
): Promise<string[]> {
  const { passages } = await engine.search({ query, ...SEARCH, ...request(), namespace });
  return passages.map(({ path }) => path);
}

export async function sourceOf({ engine }: Project, namespace: string) {
  const [status] = await engine.status({ ...request(), namespace, detail: "summary" });
  return { ...status?.sources[0], state: status?.state, last_run: status?.last_run };
}

export function failure(code: string, message: RegExp): unknown {
  return expect.objectContaining({ code, detail: expect.stringMatching(message) });
}

interface SilentServer {
  readonly port: number;
  readonly server: Server;
  readonly connected: Promise<void>;
  /** The other end has closed the connection. */
  readonly left: Promise<void>;
}

/** A port that accepts connections and never answers. */
export async function silentServer(): Promise<SilentServer> {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => leave());
    socket.resume();
    resolve();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, server, connected, left };
}
