import { RemoteClient } from "./remote-client.ts";
import { parseServerAddress } from "./server-address.ts";

/** What a token allows on a server. */
export interface RemoteAccess {
  readonly tools: readonly string[];
  readonly namespaces: readonly string[];
}

const TIMEOUT_MS = 10_000;

/** Asks the server. Throws USAGE, REMOTE_UNAVAILABLE, and UNAUTHENTICATED and the like. */
export async function checkToken(
  server: string,
  secret: string,
  version: string,
): Promise<RemoteAccess> {
  const readToken = async () => ({ secret, source: "login" }) as const;
  const address = parseServerAddress(server);
  const client = new RemoteClient(address, { version, readToken }, { onNotification: () => {} });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const tools = await client.toolNames(signal);
    const namespaces = await client.namespaces(signal);
    return { tools, namespaces: namespaces.map(({ name }) => name) };
  } finally {
    await client.close();
  }
}
