import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { NotesRenewal } from "../../../src/engine/drift/notes-renewal.ts";
import { memoryBackend } from "../../../src/backend/memory-backend.ts";
import { loadOutdated } from "../../../src/index/commits/outdated-store.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { localTexts } from "../../../src/sources/text/local-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";

const CODE = "export function readBlobs(maxBytes) {\n  return maxBytes;\n}\n";
const OTHER = "export const sendBlobs = 1;\n";
const PAGE = "# Lighthouses\n\nCall `readBlobs()` to read the lighthouse.\n";
const OTHER_PAGE = "# Harbours\n\nCall `sendBlobs()` to fill the harbour.\n";

const POLLING = { timeout: 20_000, interval: 200 };

interface Opened extends GitRepository {
  readonly project: Project;
  readonly backend: ReturnType<typeof memoryBackend>;
  /** Finds outdated documentation, as `svc changes --docs` does. */
  readonly drift: () => Promise<unknown>;
  /** Names that results mark as gone. */
  readonly noted: () => Promise<readonly string[]>;
}

/** A repository in a long-running process. */
async function opened(): Promise<Opened> {
  const repository = gitRepository();
  const backend = memoryBackend();
  const workspace = (): string => repository.path;
  const project = createProject({}, { workspace, backend, watchesFiles: true });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  const { engine } = project;
  repository.commit({ "src/read.js": CODE, "src/send.js": OTHER }, "Begin");
  repository.commit({ "docs/page.md": PAGE, "docs/other.md": OTHER_PAGE }, "Describe it");
  await engine.index(request());
  return {
    ...repository,
    project,
    backend,
    drift: () => engine.drift({ ...request(), limit: 9, waitMs: 60_000 }),
    noted: async () => {
      const query = "read the lighthouse, fill the harbour";
      const { passages } = await engine.search({ ...request(), ...SEARCH, query });
      return passages.flatMap(({ outdated = [] }) => outdated.map(({ name }) => name)).toSorted();
    },
  };
}

test("what a commit removes is noted without another request, and no longer once the commit is gone", async () => {
  const one = await opened();
  await one.drift();
  one.commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  await expect.poll(one.noted, POLLING).toEqual(["readBlobs"]);
  one.commit({ "src/send.js": "" }, "Send nothing");
  await expect.poll(one.noted, POLLING).toEqual(["readBlobs", "sendBlobs"]);
  one.git("reset", "-q", "--hard", "HEAD^");
  await expect.poll(one.noted, POLLING).toEqual(["readBlobs"]);
  // The page has changed, and the name is on another line.
  one.commit({ "docs/page.md": PAGE.replace("Call", "Well.\n\nCall") }, "Change the page");
  await expect.poll(one.noted, POLLING).toEqual([]);
  await expect.poll(one.noted, POLLING).toEqual(["readBlobs"]);
  one.git("reset", "-q", "--hard", "HEAD~2");
  await expect.poll(one.noted, POLLING).toEqual([]);
}, 120_000);

test("nothing is read where nobody has asked for findings", async () => {
  const one = await opened();
  expect(await one.noted()).toEqual([]);
  one.commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  await delay(1500);
  expect(await one.noted()).toEqual([]);
  expect(one.project.log.filter(({ message }) => /renewed/.test(message))).toEqual([]);
  expect(one.backend.commits.has("project")).toBe(false);
}, 60_000);

interface Running {
  readonly renewal: NotesRenewal;
  readonly state: { ended: number };
  /** Ends the question. */
  readonly answer: () => void;
  /** Names that are stored as gone. */
  readonly stored: () => readonly string[];
}

/** A renewal that has started while a question is being answered. */
async function running(): Promise<Running> {
  const { backend, drift, commit } = await opened();
  await drift();
  commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  const state = { ended: 0 };
  const namespace = authorized((await (await backend.registry()).state()).namespaces()[0] ?? "");
  const reader = async (): Promise<IndexReader> => {
    const found = await backend.index.reader(namespace);
    if (found === undefined) throw new Error("nothing is indexed");
    return found;
  };
  const renewal = new NotesRenewal({
    backend,
    indexes: { anyReader: reader },
    runs: { refresh: async () => {} },
    logger: recordingLogger().logger,
  });
  const sources = (await (await backend.registry()).state()).sources(namespace);
  const texts = localTexts().open(namespace, sources);
  const context = { namespace, sources, texts, reader: await reader() };
  const question = Promise.withResolvers<void>();
  void renewal.pausedDuring(() => question.promise);
  renewal.startIfMoved(context, loadOutdated(backend.commits, namespace), () => {
    state.ended += 1;
  });
  return {
    renewal,
    state,
    answer: () => question.resolve(),
    stored: () => loadOutdated(backend.commits, namespace).statements.map(({ name }) => name),
  };
}

test("it waits while questions are answered", async () => {
  const { state, answer, stored, renewal } = await running();
  await delay(2500);
  expect([state.ended, stored()]).toEqual([0, []]);
  answer();
  await expect.poll(() => state.ended, { timeout: 20_000 }).toBe(1);
  expect(stored()).toEqual(["readBlobs"]);
  await renewal.close();
}, 60_000);

test("the end of the process ends it at once, and nothing is stored", async () => {
  const { state, answer, stored, renewal } = await running();
  await delay(1500);
  // It does not wait for the question.
  await renewal.close();
  answer();
  expect([state.ended, stored()]).toEqual([1, []]);
}, 20_000);
