import { createHmac } from "node:crypto";

import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { refreshedNamespace } from "../../../src/transports/http/refresh-endpoint.ts";
import type { HttpOptions } from "../../../src/transports/http/server.ts";
import { ask, NARROW_TOKEN, serveProject, TOKEN, type ServedProject } from "./serve-project.ts";

const SECRET = "known to the code host";
const PATH = "/v1/namespaces/project/refresh";
const BEARER = { Authorization: `Bearer ${TOKEN}` };

/** A server, the namespaces that it has begun to refresh, and a function that ends the oldest run. */
async function serving(options: Partial<HttpOptions> = {}) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const server = await serveProject(
    {},
    {
      webhookSecret: SECRET,
      refresh: async (namespace) => {
        if (namespace === "absent")
          throw new SvcError("NAMESPACE_NOT_FOUND", `There is no namespace "absent".`);
        started.push(namespace);
        const { promise: finished, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        return { finished };
      },
      ...options,
    },
  );
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { server, started, end };
}

function post(
  server: ServedProject,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "{}",
) {
  return ask(server, path, { method: "POST", headers, body });
}

function signed(body: string, secret = SECRET): Readonly<Record<string, string>> {
  const mac = createHmac("sha256", secret).update(body).digest("hex");
  return { "X-Hub-Signature-256": `sha256=${mac}`, "X-GitHub-Event": "push" };
}

test("a signed push, a secret of GitLab and a token each refresh the namespace", async () => {
  const { server, started, end } = await serving();
  const body = '{"ref":"refs/heads/main"}';
  for (const headers of [signed(body), { "X-Gitlab-Token": SECRET }, BEARER]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await post(server, PATH, headers, body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      202,
      { namespace: "project", state: "started" },
    ]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await end();
  }
  expect(started).toEqual(["project", "project", "project"]);
});

test("pushes during a run are followed by one more run, however many they are", async () => {
  const { server, started, end } = await serving();
  const states: unknown[] = [];
  for (let push = 0; push < 4; push += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    states.push(JSON.parse((await post(server, PATH, signed("{}"))).body).state);
  }
  expect(states).toEqual(["started", "running", "running", "running"]);
  expect(started).toHaveLength(1);
  await end();
  expect(started).toHaveLength(2);
  await end();
  expect(started).toHaveLength(2);
});

test("a ping is answered and refreshes nothing", async () => {
  const { server, started } = await serving();
  const answer = await post(server, PATH, { ...signed("{}"), "X-GitHub-Event": "ping" });
  expect([answer.status, JSON.parse(answer.body).state]).toEqual([200, "ignored"]);
  expect(started).toEqual([]);
});

test("a caller without the secret or a token is refused, and soon not heard any more", async () => {
  const { server, started } = await serving();
  const wrong = [
    {},
    signed("{}", "guessed"),
    signed("another body"),
    { "X-Gitlab-Token": "guess" },
  ];
  for (const headers of wrong) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await post(server, PATH, headers)).status).toBe(401);
  }
  const statuses: number[] = [];
  for (let guess = 0; guess < 20; guess += 1) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    statuses.push((await post(server, PATH, { "X-Gitlab-Token": `guess ${guess}` })).status);
  }
  expect(statuses).toContain(429);
  expect(started).toEqual([]);
});

test("a token for other namespaces gets the error of a namespace that does not exist", async () => {
  const { server, started } = await serving();
  const narrow = { Authorization: `Bearer ${NARROW_TOKEN}` };
  const [hidden, absent] = [
    await post(server, PATH, narrow),
    await post(server, "/v1/namespaces/absent/refresh", BEARER),
  ];
  expect([hidden.status, absent.status]).toEqual([400, 400]);
  expect(JSON.parse(hidden.body).error_code).toBe(JSON.parse(absent.body).error_code);
  expect(started).toEqual([]);
});

test("without a secret webhooks are refused, and without the operation there is no such path", async () => {
  const { server } = await serving({ webhookSecret: undefined });
  expect((await post(server, PATH, signed("{}"))).status).toBe(401);
  const bare = await serveProject({});
  expect((await post(bare, PATH, BEARER)).status).toBe(404);
});

test("only POST is accepted", async () => {
  const { server } = await serving();
  expect((await ask(server, PATH, { headers: BEARER })).status).toBe(405);
});

test.each([
  ["/v1/namespaces/a.b-c_1/refresh", "a.b-c_1"],
  ["/v1/namespaces/A/refresh", undefined],
  ["/v1/namespaces/../refresh", undefined],
  ["/v1/namespaces//refresh", undefined],
  ["/v1/namespaces/a/refresh/", undefined],
])("%s refreshes %s", (path, namespace) => {
  expect(refreshedNamespace(path)).toBe(namespace);
});
