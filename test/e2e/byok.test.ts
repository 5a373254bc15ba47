// The executable and a model provider: the code that connects is a chunk that no other start loads.
import path from "node:path";

import { afterAll, expect, test } from "vitest";

import { KEY, startProvider } from "../helpers/model-provider.ts";
import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { JSON_BODY, post, startHttp } from "../spec/http-server.ts";
import { createPlace } from "../spec/program.ts";
import type { Reply } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] ??= path.join(import.meta.dirname, "../../dist/svc");

const place = createPlace({
  "ebb.md": "# Ebb\n\nThe tide goes out.\n",
  "flood.md": "# Flood\n\nThe tide comes in.\n",
});
afterAll(place.remove);

test(
  "the executable has its answers ordered by a model provider",
  { timeout: 60_000 },
  async () => {
    const provider = await startProvider();
    await outputHere(place, "index", place.root);
    const { token } = await createTokenFor(place);
    const server = await startHttp(place, "--byok", "--provider", provider.url);
    const search = async (rerank: boolean): Promise<readonly (string | undefined)[]> => {
      const call = { name: "search_context", arguments: { query: "which tide", rerank } };
      const headers = { Authorization: `Bearer ${token}`, "X-Provider-Key": KEY, ...JSON_BODY };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
      const answer = await post<Reply>(`${server.url}/mcp`, headers, body);
      return answer.body.result?.content?.map(({ text }) => text.split(":")[0]) ?? [];
    };
    const local = await search(false);
    expect(new Set(local)).toEqual(new Set(["ebb.md", "flood.md"]));
    expect(await search(true)).toEqual(local.toReversed());
    expect(await server.close()).toBe(0);
    await provider.close();
  },
);
