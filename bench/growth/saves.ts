// The time from a save until another process finds it, and the cost.
import { fork } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rank } from "../../src/search/rank.ts";
import { figure, figure95, type Figure } from "./figure.ts";
import type { SaveReport } from "./save-script.ts";
import { copyTree, save, type TreeCopy } from "./tree-copy.ts";
import type { Extent, IndexedTree } from "./tree.ts";
import { authorized } from "../../test/helpers/authorized.ts";

const SAVE_SCRIPT = join(import.meta.dirname, "save-script.ts");
/** Saves of each kind: a file is added, one is changed, the added one is removed. */
const ROUNDS = 20;
const WARM_UP_ROUNDS = 2;
const WHOLE_ROUNDS = 2;
/** A save that is not found within this time counts as lost. */
const MAX_WAIT_MS = 60_000;
const POLL_MS = 1;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

interface Saved {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export async function saves(tree: IndexedTree, { isSmoke }: Extent): Promise<readonly Figure[]> {
  const copy = copyTree(tree);
  const writer = new Writer();
  const reader = new Finder(copy);
  const rounds = isSmoke ? 5 : ROUNDS;
  const saved: Saved[] = [];
  const looked: Saved[] = [];
  try {
    // The copy may have other inodes or times, which the first check records.
    await writer.run(copy.job);
    for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
      const three = await saveThree({ tree, copy, writer, reader, isWhole: false }, round);
      if (round >= WARM_UP_ROUNDS) saved.push(...three);
    }
    // Without a folder every file is checked.
    for (let round = 0; round < WHOLE_ROUNDS; round += 1) {
      const scene = { tree, copy, writer, reader, isWhole: true };
      looked.push(...(await saveThree(scene, WARM_UP_ROUNDS + rounds + round)));
    }
  } finally {
    writer.close();
    reader.close();
    rmSync(copy.root, { recursive: true, force: true });
  }
  const walls = saved.map(({ wallMs }) => wallMs);
  const cpus = saved.map(({ cpuMs }) => cpuMs);
  return [
    figure95("save until it is found, p95", walls, {
      unit: "ms",
      work: "nothing",
      target: "100 ms",
    }),
    figure("save until it is found, median", walls, { unit: "ms", work: "nothing" }),
    figure("save, the whole run", cpus, { unit: "cpu ms", work: "nothing" }),
    figure(
      "save until it is found by looking at all files, median",
      looked.map(({ wallMs }) => wallMs),
      { unit: "ms", work: "files" },
    ),
  ];
}

interface Scene {
  readonly tree: IndexedTree;
  readonly copy: TreeCopy;
  readonly writer: Writer;
  readonly reader: Finder;
  /** Checks all files, or only the folder of the save, as a watcher does. */
  readonly isWhole: boolean;
}

async function saveThree(scene: Scene, round: number): Promise<readonly Saved[]> {
  const { tree, copy } = scene;
  const path =
    tree.paths[Math.floor((round + 0.5) * (tree.paths.length / 100)) % tree.paths.length];
  if (path === undefined) throw new Error("there are no files");
  const text = readFileSync(join(copy.root, path), "utf8");
  const folder = dirname(path) === "." ? "" : dirname(path);
  const added = join(folder, `bench-added-${round}${extname(path)}`);
  const [newWord, changedWord] = [`zqadded${letters(round)}`, `zqchanged${letters(round)}`];
  return [
    await saveOne(scene, () => save(copy.root, added, `${text}\n${newWord}\n`), {
      word: newWord,
      path: added,
      folder,
    }),
    await saveOne(scene, () => save(copy.root, path, `${text}\n${changedWord}\n`), {
      word: changedWord,
      path,
      folder,
    }),
    await saveOne(scene, () => rmSync(join(copy.root, added)), {
      word: newWord,
      path: undefined,
      folder,
    }),
  ];
}

/** Makes a change, has it indexed, and waits until a search finds the word in the file, or nowhere. */
async function saveOne(
  { copy, writer, reader, isWhole }: Scene,
  change: () => void,
  wanted: { readonly word: string; readonly path: string | undefined; readonly folder: string },
): Promise<Saved> {
  const { job } = copy;
  const folders = job.sources.map(({ id }) => ({ source: id, path: wanted.folder }));
  const from = performance.now();
  change();
  const run = writer.run(isWhole ? job : { ...job, folders });
  while ((await reader.find(wanted.word)) !== wanted.path) {
    if (performance.now() - from > MAX_WAIT_MS) throw new Error(`${wanted.word} is not found`);
    await wait(POLL_MS);
  }
  return { wallMs: performance.now() - from, cpuMs: await run };
}

/** Indexes in another process, which keeps running: its code is compiled, like that of a server. */
class Writer {
  readonly #child = fork(SAVE_SCRIPT);
  #running = Promise.withResolvers<number>();

  constructor() {
    this.#child.on("message", ({ cpuMs }: SaveReport) => this.#running.resolve(cpuMs));
    this.#child.on("exit", (code) =>
      this.#running.reject(new Error(`${SAVE_SCRIPT} ended with ${code}`)),
    );
  }

  /** One run; resolves with its processor time in milliseconds. */
  run(job: TreeCopy["job"]): Promise<number> {
    this.#running = Promise.withResolvers<number>();
    this.#child.send(job);
    return this.#running.promise;
  }

  close(): void {
    this.#child.disconnect();
  }
}

/** Queries the index, as another process with an open index does. */
class Finder {
  readonly #backend: EmbeddedBackend;
  readonly #namespace: string;
  readonly #tokenizer = createTokenizer();
  #generation = -1;
  #found: string | undefined;
  #word = "";

  constructor({ job }: TreeCopy) {
    this.#backend = new EmbeddedBackend(job.dataDirectory);
    this.#namespace = job.namespace;
  }

  /** The file with a word. There is no lookup while there is no new version. */
  async find(word: string): Promise<string | undefined> {
    const reader = await this.#backend.reader(authorized(this.#namespace));
    if (reader === undefined) throw new Error("there is no index");
    if (reader.version.at === this.#generation && word === this.#word) return this.#found;
    const { files } = await rank(reader, parseQuery(word, this.#tokenizer), { limit: 1 });
    const [best] = files;
    [this.#generation, this.#word, this.#found] = [reader.version.at, word, best?.file.path];
    return this.#found;
  }

  close(): void {
    this.#backend.close();
  }
}

/** A number as a word that is a single term. */
function letters(number: number): string {
  return `${LETTERS[Math.floor(number / 26)] ?? ""}${LETTERS[number % 26] ?? ""}q`;
}
