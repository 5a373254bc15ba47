// A work tree that follows the history of a repository, commit after commit, with its index.
// Its HEAD is the checked-out commit, so readers of the history see no later commits.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import type { QueryContext } from "../../src/engine/query-context.ts";
import { sourcesOf } from "../growth/tree.ts";
import { readFiles } from "../quality/mirror.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { runIndex } from "../../test/helpers/run-index.ts";
import { textsOf } from "../../test/helpers/texts.ts";

/** svc's index of the tree at one commit. */
export interface Moment extends QueryContext {
  readonly graph: ReferenceGraph;
}

const MAX_OUTPUT_BYTES = 1 << 30;
/** The empty tree object, which every repository has. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export class HistoryTree {
  readonly #mirror: string;
  readonly #root: string;
  readonly #dataDirectory: string;
  readonly #backend: EmbeddedBackend;
  #commit = EMPTY_TREE;

  /** Creates the tree in a folder that it clears first. */
  constructor(mirror: string, folder: string) {
    rmSync(folder, { recursive: true, force: true });
    this.#mirror = mirror;
    this.#root = join(folder, "tree");
    this.#dataDirectory = join(folder, "data");
    mkdirSync(this.#dataDirectory, { recursive: true });
    // A local clone links the objects. svc would not follow alternates out of the folder.
    runGit(["clone", "--quiet", "--local", "--no-checkout", mirror, this.#root]);
    for (const later of ["packed-refs", "refs/remotes", "refs/tags", "refs/heads"]) {
      rmSync(join(this.#root, ".git", later), { recursive: true, force: true });
    }
    mkdirSync(join(this.#root, ".git/refs/heads"), { recursive: true });
    this.#backend = new EmbeddedBackend(this.#dataDirectory);
  }

  get root(): string {
    return this.#root;
  }

  /** Checks out a commit, if the mirror holds the files, and indexes the differences from the previous one. */
  async moveTo(commit: string): Promise<Moment> {
    const changed = this.#git(["diff", "--name-only", "--no-renames", "-z", this.#commit, commit]);
    const paths = changed.split("\0").filter((path) => path !== "");
    const contents = new Map(readFiles(this.#mirror, commit, paths));
    for (const path of paths) {
      const file = join(this.#root, path);
      const content = contents.get(path);
      rmSync(file, { force: true, recursive: true });
      if (content === undefined) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    this.#git(["read-tree", commit]);
    writeFileSync(join(this.#root, ".git/HEAD"), `${commit}\n`);
    this.#commit = commit;
    return this.#index();
  }

  /** Removes the written files. */
  close(): void {
    this.#backend.close();
    rmSync(dirname(this.#root), { recursive: true, force: true });
  }

  async #index(): Promise<Moment> {
    const dataDirectory = this.#dataDirectory;
    const { namespace, sources } = await sourcesOf(dataDirectory, this.#root);
    await runIndex(
      { dataDirectory, namespace, sources, rebuild: false, waitMs: 0 },
      // Impact analysis does not use similarity of meaning.
      { embeddings: undefined },
    );
    const reader = await this.#backend.reader(authorized(namespace));
    if (reader === undefined) throw new Error(`${this.#root}: there is no index`);
    const graph = await ReferenceGraph.open(reader, (path) => this.#read(path));
    return { reader, graph, sources, texts: textsOf(sources) };
  }

  #read(path: string): string | undefined {
    const file = join(this.#root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  #git(words: readonly string[]): string {
    return runGit(["-C", this.#root, ...words]);
  }
}

/** The output of git. Throws with its message. */
export function runGit(words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("git", words, {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { ...process.env, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
  });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}
