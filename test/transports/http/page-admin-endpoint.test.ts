import { expect, test } from "vitest";

import { createToken } from "../../../src/credentials/access-tokens.ts";
import { listCredentials } from "../../../src/credentials/list-credentials.ts";
import { MemoryCredentialStore } from "../../../src/credentials/memory/memory-credential-store.ts";
import { request } from "../../helpers/project.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant } from "../../helpers/tree.ts";
import { memoryAccess } from "./memory-access.ts";
import { ask, callTool, KEY, serveProject, TOKEN } from "./serve-project.ts";

const FILES = { "a.md": "# Tide\n", "b.bin": "\0\u0001binary\0" };
const AUDIT = [
  '{"seq":1,"time":"2030-01-01T00:00:00Z","event":"store.commit","generation":4}',
  '{"seq":2,"time":"2030-01-01T00:00:01Z","event":"call","principal":"tok_1","tool":"outline","namespace":"project","outcome":"ok","ms":3,"query":"a secret question","mac":"00"}',
  "no json",
];

test("only a credential with the right sees it, and it holds no secret and no question", async () => {
  const access = await memoryAccess([
    { secret: KEY, id: "key_1", kind: "key", namespaces: ["project"] },
    { secret: TOKEN, id: "token_1", kind: "token", namespaces: "all" },
  ]);
  const store = new MemoryCredentialStore();
  const { record } = await createToken(store, { name: "boss", admin: true });
  const server = await serveProject(FILES, {
    authenticate: access.authenticateAs,
    admin: {
      projects: async (signal) =>
        server.project.engine.status({ principal: LOCAL, detail: "skipped", signal }),
      credentials: () => listCredentials(store, { kind: "token" }),
      auditLines: async () => AUDIT,
    },
  });
  await callTool(server, "index_status", {});
  const signIn = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const opened = await ask(server, "/page/session", { method: "POST", headers });
    const { page_token: pageToken }: { readonly page_token: string } = JSON.parse(opened.body);
    const [cookie = ""] = opened.headers["set-cookie"]?.[0]?.split(";") ?? [];
    return { Cookie: cookie, "X-Svc-Page": pageToken };
  };
  const see = async (headers: Readonly<Record<string, string>>) =>
    ask(server, "/page/admin", { headers });
  expect((await see({})).status).toBe(401);
  expect((await see({ "X-API-Key": KEY })).status).toBe(403);
  expect((await see({ Authorization: `Bearer ${TOKEN}` })).status).toBe(401);
  const session = await signIn();
  expect((await see(session)).status).toBe(403);
  // The right counts only together with all namespaces.
  await access.change("token_1", { admin: true, namespaces: ["project"] });
  expect((await see(session)).status).toBe(403);
  await access.change("token_1", { admin: true, namespaces: "all" });
  const { status, body } = await see(session);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({
    version: "0.8.0",
    projects: [
      {
        name: "project",
        state: "ready",
        sources: [{ name: server.project.root, available: true }],
        skipped: { binary: 1 },
        skipped_files: [{ path: "b.bin", reason: "binary" }],
      },
    ],
    credentials: [{ id: record.id, name: "boss", admin: true, state: "active", revoked_at: null }],
    audit: [{ tool: "outline", principal: "tok_1", ms: 3, credential: null }],
    calls: [{ tool: "index_status", outcome: "ok", ms: expect.any(Number) }],
    runs: [{ namespace: "project", generation: 1 }],
  });
  // A client that reads the metrics makes the server see a run.
  plant(server.project.root, { "c.md": "# Ebb\n" });
  await server.project.engine.index(request());
  await ask(server, "/metrics");
  plant(server.project.root, { "d.md": "# Flow\n" });
  await server.project.engine.index(request());
  const { runs }: { readonly runs: readonly object[] } = JSON.parse((await see(session)).body);
  expect(runs).toMatchObject([{ generation: 1 }, { generation: 2 }, { generation: 3 }]);
  expect(body).not.toContain(record.digest);
  expect(body).not.toContain("a secret question");
});

test("a server without the source of the view has no such path", async () => {
  const server = await serveProject({});
  expect((await ask(server, "/page/admin")).status).toBe(404);
});
