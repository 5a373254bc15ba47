import { expect, onTestFinished, test } from "vitest";

import { namespaceOf, RemoteWorkspace } from "../../src/remote/remote-workspace.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { request } from "../helpers/project.ts";
import { NEVER, serveRemote } from "./serve-remote.ts";

const SERVER = "https://svc.example.org";

test("the namespace is the one whose source has the same git remote", async () => {
  const { server, client } = await serveRemote();
  const { path, commit, git, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ "a.ts": "export const a = 1;\n" });
  git("remote", "add", "origin", "git@github.com:team/alpha.git");
  await server.project.engine.index({ ...request(), source: path, namespace: "alpha" });
  const find = (...repositories: readonly string[]) =>
    new RemoteWorkspace(
      { server: SERVER, namespace: undefined, repositories: () => repositories },
      () => Promise.resolve(client),
    ).find(NEVER);
  expect(await find("github.com/team/alpha")).toEqual({ kind: "found", namespace: "alpha" });
  expect(await find("github.com/ann/alpha", "github.com/team/alpha")).toMatchObject({
    namespace: "alpha",
  });
  expect(await find("github.com/team/beta")).toMatchObject({
    kind: "missing",
    error: {
      code: "NAMESPACE_NOT_FOUND",
      detail: expect.stringMatching(/no index of github.com\/team\/beta.*It has: alpha, project/s),
    },
  });
  expect(await find()).toEqual({ kind: "default" });
});

test("a namespace that the user named is used without a question to the server", async () => {
  const workspace = new RemoteWorkspace(
    { server: SERVER, namespace: "mine", repositories: () => ["github.com/team/alpha"] },
    () => Promise.reject(new Error("the server is not asked")),
  );
  expect(await workspace.find(NEVER)).toEqual({ kind: "found", namespace: "mine" });
});

test("of several namespaces with a repository, the one with the fewest sources is used", () => {
  const [alpha, beta] = ["https://github.com/team/alpha.git", "ssh://git@github.com/team/beta"];
  const namespaces = [
    { name: "all", sources: [{ url: alpha }, { url: beta }] },
    { name: "beta", sources: [{ url: beta }] },
    { name: "checkout", sources: [{ repositories: ["github.com/team/gamma"] }] },
    { name: "folder", sources: [{}] },
  ];
  const found = (name: string) => namespaceOf(`github.com/team/${name}`, namespaces);
  expect(["alpha", "beta", "gamma", "delta"].map(found)).toEqual([
    "all",
    "beta",
    "checkout",
    undefined,
  ]);
});

test("the server is asked once, and again after the namespace is gone", async () => {
  const { client } = await serveRemote();
  let questions = 0;
  const workspace = new RemoteWorkspace(
    { server: SERVER, namespace: undefined, repositories: () => ["github.com/team/alpha"] },
    async () => {
      questions += 1;
      return client;
    },
  );
  await workspace.find(NEVER);
  await workspace.find(NEVER);
  expect(questions).toBe(1);
  workspace.forget();
  await workspace.find(NEVER);
  expect(questions).toBe(2);
});
