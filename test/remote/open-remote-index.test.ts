import { expect, onTestFinished, test } from "vitest";

import { openRemoteIndex } from "../../src/remote/open-remote-index.ts";
import { parseServerAddress } from "../../src/remote/server-address.ts";
import { createProject, request } from "../helpers/project.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { NARROW_TOKEN, serveProject, TOKEN } from "../transports/http/serve-project.ts";
import { NEVER, tokenOf } from "./serve-remote.ts";

/** A server with the index of a clone of github.com/team/project, as the namespace "project". */
async function serving(sharesIndexes = true) {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  repository.commit({ "tides.md": "# Tides\n" });
  repository.git("remote", "add", "origin", "https://github.com/team/project.git");
  const project = createProject({}, { namespace: "project", onDisk: true });
  onTestFinished(() => project.dispose());
  await project.engine.index({ ...request(), source: repository.path, namespace: "project" });
  const { url } = await serveProject({}, { sharesIndexes }, undefined, project);
  return (choice: {
    readonly namespace?: string;
    readonly token?: string;
    readonly names?: readonly string[];
  }) =>
    openRemoteIndex({
      address: parseServerAddress(url),
      readToken: tokenOf(choice.token ?? TOKEN),
      version: "0.9.0",
      namespace: choice.namespace,
      repositories: () => choice.names ?? [],
      signal: NEVER,
    });
}

test("the namespace is the one that has the repository, or the one that the user names", async () => {
  const open = await serving();
  const found = await open({ names: ["github.com/me/project", "github.com/team/project"] });
  const named = await open({ namespace: "project" });
  for (const index of [found, named]) onTestFinished(() => index.close());
  expect([found.name, named.name]).toEqual(
    Array(2).fill(expect.stringMatching(/^project at http/)),
  );
  expect(await found.list(undefined, NEVER)).toMatchObject({ index: { segments: [{ files: 1 }] } });
});

test("each way in which there is no index has its own error and remedy", async () => {
  const open = await serving();
  await expect(open({ names: ["github.com/else/where"] })).rejects.toMatchObject({
    code: "NAMESPACE_NOT_FOUND",
    message: expect.stringContaining("has no index of github.com/else/where"),
    hint: expect.stringContaining("with --remote-namespace. It has: project."),
  });
  await expect(open({})).rejects.toMatchObject({
    code: "USAGE",
    hint: expect.stringContaining("--remote-namespace"),
  });
  const refused = { code: "NAMESPACE_NOT_FOUND", hint: expect.stringContaining("Leave out") };
  await expect(open({ namespace: "absent" })).rejects.toMatchObject(refused);
  await expect(open({ namespace: "../mcp" })).rejects.toMatchObject({ code: "USAGE" });
  // The same without access to the namespace.
  await expect(open({ namespace: "project", token: NARROW_TOKEN })).rejects.toMatchObject(refused);
  await expect(open({ namespace: "project", token: "svt_wrong" })).rejects.toMatchObject({
    code: "CREDENTIAL_MALFORMED",
  });
  const closed = await serving(false);
  await expect(closed({ namespace: "project" })).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("does not share its indexes"),
  });
});
