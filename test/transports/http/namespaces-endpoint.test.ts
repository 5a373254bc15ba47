import { expect, test } from "vitest";

import { request } from "../../helpers/project.ts";
import { ask, KEY, serveProject, TOKEN } from "./serve-project.ts";

test("a key lists the namespaces that it can search and that exist, and a token is refused", async () => {
  const server = await serveProject({ "a.md": "# Tide\n" });
  const { engine, root } = server.project;
  await engine.index({ ...request(), source: root, namespace: "other" });
  const list = async (headers: Readonly<Record<string, string>>, method = "GET") =>
    ask(server, "/v1/namespaces", { method, headers });
  const listed = await list({ "X-API-Key": KEY });
  expect([listed.status, JSON.parse(listed.body)]).toEqual([
    200,
    { namespaces: ["project"], default: "project" },
  ]);
  expect((await list({ "X-API-Key": KEY }, "POST")).status).toBe(405);
  expect((await list({})).status).toBe(401);
  expect((await list({ Authorization: `Bearer ${TOKEN}` })).status).toBe(401);
});
