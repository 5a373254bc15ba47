import { afterAll, beforeAll } from "vitest";

import { credentialCommands, type output } from "./credential-commands.ts";
import { createPlace, exitCode, startProgram, type Place } from "./program.ts";
import type { Reply } from "./stdio-client.ts";

const START_MS = 60_000;

export interface HttpServer {
  readonly url: string;
  readonly stderr: () => string;
  /** Sends SIGTERM, and waits for the exit code. */
  readonly close: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** `svc serve` in the project, on a free port unless the flags name one. */
export async function startHttp(place: Place, ...flags: readonly string[]): Promise<HttpServer> {
  const port = flags.includes("--port") ? [] : ["--port", "0"];
  const child = startProgram(place, ["serve", ...port, ...flags]);
  const ended = exitCode(child);
  const err: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      err.push(text);
      const found = /listens on (?<url>\S+)/.exec(err.join(""))?.groups?.["url"];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`svc serve ended with ${code}:\n${err.join("")}`)));
  });
  return {
    url,
    stderr: () => err.join(""),
    close: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Sends a body unchanged. */
export async function post<Body>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer<Body>> {
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each test checks the type that it expects
  const parsed = (text === "" ? undefined : JSON.parse(text)) as Body;
  return { status: response.status, headers: response.headers, body: parsed };
}

export interface Served {
  readonly server: HttpServer;
  readonly place: Place;
  readonly token: string;
  /** An API key for the namespace "project". */
  readonly key: string;
  /** Sends a message, or an invalid text, to `/mcp`. */
  readonly rpc: (message: unknown) => Promise<Answer<Reply>>;
  readonly call: (tool: string, input: unknown) => Promise<Answer<Reply>>;
  /** Sends a body to `/v1/search`. */
  readonly search: <Body>(body: unknown) => Promise<Answer<Body>>;
}

export const JSON_BODY = { "Content-Type": "application/json" } as const;

type ServedOver = (
  files: Readonly<Record<string, string>>,
  ...flags: readonly string[]
) => () => Served;

/**
 * One server for all tests of a file, over a project with these files, which are indexed. `outputOf` prepares it: runs a
 * command and throws if it fails.
 */
export function servedAfter(outputOf: typeof output): ServedOver {
  const { createKey, createTokenFor } = credentialCommands(outputOf);
  return (files, ...flags) => {
    const place = createPlace(files);
    let served: Served | undefined;
    beforeAll(async () => {
      await outputOf(place, "index", place.root);
      const { token } = await createTokenFor(place);
      const { key } = await createKey(place, { namespace: "project" });
      const server = await startHttp(place, ...flags);
      const bearer = { ...JSON_BODY, Authorization: `Bearer ${token}` };
      const rpc: Served["rpc"] = (message) => post(`${server.url}/mcp`, bearer, asText(message));
      served = {
        server,
        place,
        token,
        key,
        rpc,
        call: (name, input) => {
          const params = { name, arguments: input };
          return rpc({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        },
        search: (body) =>
          post(`${server.url}/v1/search`, { ...JSON_BODY, "X-API-Key": key }, asText(body)),
      };
    }, START_MS);
    afterAll(async () => {
      await served?.server.close();
      place.remove();
    });
    return () => {
      if (served === undefined) throw new Error("the server is started before the first test");
      return served;
    };
  };
}

function asText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
