// Creates each corpus once, as a folder of files; a mark shows that it is complete.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { fetchCommit, hasCommit, mirrorDirectory } from "./mirror.ts";
import type { Corpus } from "./questions.ts";
import { corpusFiles } from "./recipes.ts";

export interface CorpusStore {
  /** The folder of the corpora: one folder for each, and `.ready` with their marks. */
  readonly folder: string;
  /** The folder of bare repositories, `<owner>+<name>/repo`; undefined if there is none. */
  readonly mirrors?: string | undefined;
  /** Source of commits that no mirror has, to which `/owner/name` is appended; undefined for none. */
  readonly remote?: string | undefined;
}

interface Mark {
  readonly id: string;
  readonly files: number;
  readonly bytes: number;
  readonly commit: string;
}

/** Creates each missing corpus. Returns, by id, why a corpus cannot be created. */
export function prepareCorpora(
  corpora: Iterable<Corpus>,
  store: CorpusStore,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const corpus of corpora) {
    try {
      const reason = prepare(corpus, store);
      if (reason !== undefined) missing.set(corpus.id, reason);
    } catch (failure) {
      missing.set(corpus.id, failure instanceof Error ? failure.message : String(failure));
    }
  }
  return missing;
}

/** Returns why the corpus cannot be created; undefined if it is ready. */
function prepare(corpus: Corpus, store: CorpusStore): string | undefined {
  const { id, commit } = corpus;
  const marks = join(store.folder, ".ready");
  const markFile = join(marks, `${id}.json`);
  const place = corpusFolder(store, corpus);
  // The system may delete some of the files in a temporary folder.
  if (existsSync(markFile) && existsSync(place)) {
    const mark: Partial<Mark> = JSON.parse(readFileSync(markFile, "utf8"));
    if (mark.commit === commit) return undefined;
  }
  mkdirSync(marks, { recursive: true });
  const repository = repositoryWith(corpus, store);
  if (repository === undefined) {
    return `no mirror holds ${corpus.github} at ${commit}; name one with --mirrors, or give --fetch`;
  }
  rmSync(markFile, { force: true });
  const size = writeCorpus(corpus, repository, place);
  const mark: Mark = { id, ...size, commit };
  writeFileSync(markFile, JSON.stringify(mark));
  return undefined;
}

/** The path of a corpus that is ready. */
export function corpusFolder({ folder }: Pick<CorpusStore, "folder">, { id }: Corpus): string {
  return join(folder, id);
}

function repositoryWith(
  { github, commit }: Corpus,
  { folder, mirrors, remote }: CorpusStore,
): string | undefined {
  const fetched = mirrorDirectory(join(folder, ".fetched"), github);
  const known = mirrors === undefined ? [fetched] : [mirrorDirectory(mirrors, github), fetched];
  const repository = known.find((place) => existsSync(place) && hasCommit(place, commit));
  if (repository !== undefined || remote === undefined) return repository;
  fetchCommit(fetched, `${remote}/${github}`, commit);
  return fetched;
}

/** First in a temporary folder next to it, so that a corpus is either complete or absent. */
function writeCorpus(
  corpus: Corpus,
  repository: string,
  place: string,
): { readonly files: number; readonly bytes: number } {
  const making = `${place}.making-${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making);
  let files = 0;
  let bytes = 0;
  for (const [path, content] of corpusFiles(corpus, repository)) {
    const file = join(making, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    files += 1;
    bytes += Buffer.byteLength(content);
  }
  rmSync(place, { recursive: true, force: true });
  renameSync(making, place);
  return { files, bytes };
}
