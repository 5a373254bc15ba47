import { expect, test } from "vitest";

import { checkToken } from "../../src/remote/check-token.ts";
import { NARROW_TOKEN, TOKEN } from "../transports/http/serve-project.ts";
import { serveRemote } from "./serve-remote.ts";

test("a token is checked with the server, which says what it allows", async () => {
  const { server } = await serveRemote();
  const all = await checkToken(server.url, TOKEN, "0.8.0");
  expect(all.tools).toHaveLength(12);
  expect(all.namespaces).toEqual(["project"]);
  expect((await checkToken(server.url, NARROW_TOKEN, "0.8.0")).namespaces).toEqual([]);
});

test("a token that the server does not know, and a server that is not there, are errors", async () => {
  const { server } = await serveRemote();
  const unknown = NARROW_TOKEN.replace("UVW", "WVU");
  await expect(checkToken(server.url, unknown, "0.8.0")).rejects.toMatchObject({
    detail: expect.stringContaining("svc auth login"),
  });
  await server.end();
  await expect(checkToken(server.url, TOKEN, "0.8.0")).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
  });
});
