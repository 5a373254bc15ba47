import { afterAll, beforeAll } from "vitest";

import { createTokenFor } from "./commands-here.ts";
import { createPlace } from "./program.ts";
import { startServer, type Server } from "./stdio-client.ts";

const START_MS = 60_000;

/** One server with a token for all tests of a file, over a project with these files. */
export function serverFor(files: Readonly<Record<string, string>>): () => Server {
  const place = createPlace(files);
  let server: Server | undefined;
  beforeAll(async () => {
    const { token } = await createTokenFor(place);
    server = startServer(place, { SERVICE_TOKEN: token });
    // A search during the first build answers from the finished part: wait for the whole.
    await server.items("index_source", { source: place.root, wait_ms: 20_000 });
  }, START_MS);
  afterAll(async () => {
    await server?.close();
    place.remove();
  });
  return () => {
    if (server === undefined) throw new Error("the server is started before the first test");
    return server;
  };
}
