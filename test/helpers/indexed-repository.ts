// Repositories for questions about their commits.
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import type { Engine } from "../../src/engine/api/engine.ts";
import { gitRepository, type GitRepository } from "./git-repository.ts";
import { manyWords } from "./many-words.ts";
import { createProject, request, SEARCH } from "./project.ts";

export interface RepositoryWithIndex extends GitRepository {
  readonly engine: Engine;
  /** The folder of the revisions of its namespace. */
  readonly revisions: string;
  readonly namespace: string;
}

interface OpenOptions {
  readonly onDisk?: boolean;
  readonly exclude?: readonly string[];
}

/** Indexes the work tree of a repository. */
export async function indexedRepository(
  prepare: (repository: GitRepository) => void,
  { onDisk = true, exclude = [] }: OpenOptions = {},
): Promise<RepositoryWithIndex> {
  const repository = gitRepository();
  prepare(repository);
  const { engine, data, dispose } = createProject({}, { workspace: () => repository.path, onDisk });
  onTestFinished(async () => {
    await dispose();
    repository.dispose();
  });
  const { namespace } = await engine.index({ ...request(), exclude });
  return {
    ...repository,
    engine,
    namespace,
    revisions: join(data, "namespaces", namespace, "revisions"),
  };
}

/** The places that answer a query, about the work tree or a commit. */
export async function found(
  engine: Engine,
  query: string,
  at?: string,
): Promise<readonly string[]> {
  const { passages } = await engine.search({ ...request(), ...SEARCH, query, at });
  return passages.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
}

/** Names of the indexes of commits. */
export function indexesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== "lock");
}

const HANDLER = "export function handleUpload(file) {\n  return retry(() => store(file), 3);\n}\n";
const RETRY = "export function retry(run, times) {\n  return run(times);\n}\n";
const USER =
  'import { retry } from "./retry.js";\n\nexport const ping = () => retry(() => 1, 2);\n';

/** A history in which definitions move, change and disappear. */
export function history({ commit, git }: GitRepository): void {
  const others = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`lib/part${at}.js`, `export const part${at} = ${at};\n`]),
  );
  commit({ "src/upload.js": HANDLER, "src/retry.js": RETRY, "src/ping.js": USER, ...others });
  git("tag", "v1");
  commit({
    "src/upload.js": "export function handleUpload(file) {\n  return store(file);\n}\n",
    "src/retry.js": undefined,
    "src/ping.js": "export const ping = () => 1;\n",
    "src/later.js": "export function resumeUpload() {}\n",
  });
  git("tag", "v2");
}

/** A history whose index is too large for rows of the catalogue: it has files of segments. */
export function largeHistory(repository: GitRepository): void {
  repository.commit(manyWords());
  history(repository);
}
