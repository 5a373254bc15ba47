// A server with the real transport and index, and the client of the other machine.
import { onTestFinished } from "vitest";

import { RemoteClient } from "../../src/remote/remote-client.ts";
import type { ReadToken } from "../../src/remote/remote-fetch.ts";
import { parseServerAddress } from "../../src/remote/server-address.ts";
import type { HttpOptions } from "../../src/transports/http/server.ts";
import { serveProject, TOKEN, type ServedProject } from "../transports/http/serve-project.ts";

const TIDES = { "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" } as const;

export const tokenOf =
  (secret: string): ReadToken =>
  () =>
    Promise.resolve({ secret, source: "login" });

interface Remote {
  readonly server: ServedProject;
  readonly client: RemoteClient;
  readonly notifications: unknown[];
}

/** Both stop at the end of the test. */
export async function serveRemote(
  options: Partial<HttpOptions> = {},
  readToken: ReadToken = tokenOf(TOKEN),
): Promise<Remote> {
  const server = await serveProject(TIDES, options);
  const notifications: unknown[] = [];
  const client = clientOf(server.url, readToken, (method, params) =>
    notifications.push({ method, params }),
  );
  return { server, client, notifications };
}

export function clientOf(
  url: string,
  readToken: ReadToken = tokenOf(TOKEN),
  onNotification: (method: string, params: Record<string, unknown>) => void = () => {},
): RemoteClient {
  const address = parseServerAddress(url);
  const client = new RemoteClient(address, { version: "0.8.0", readToken }, { onNotification });
  onTestFinished(() => client.close());
  return client;
}

/** A signal that nothing aborts. */
export const NEVER = new AbortController().signal;
