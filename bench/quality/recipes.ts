// Makes the files of a corpus from those of its repository, by kind. It removes the source of the queries:
// doc comments, descriptions of pages and link texts.
import { extname } from "node:path/posix";

import { blankLinks } from "./blank-links.ts";
import { filesAt, readFiles } from "./mirror.ts";
import type { Corpus } from "./questions.ts";
import { stripDocs } from "./strip-docs.ts";

/** Path relative to the root of the corpus, and content. */
type CorpusFile = readonly [path: string, content: Buffer | string];
type Recipe = (corpus: Corpus, repository: string) => Generator<CorpusFile>;

/** Extensions of files without text, which no corpus contains. */
const BINARY = new Set(
  (
    "png jpg jpeg gif webp ico bmp tif tiff pdf psd ai mp3 mp4 mov avi webm wav ogg woff woff2 ttf otf " +
    "eot zip gz tgz bz2 xz zst 7z rar jar war class so dylib dll exe o a lib obj bin dat wasm pyc pack " +
    "idx keystore jks p12 pfx der snk nupkg sqlite db tar docx odt pptx xlsx epub"
  ).split(" "),
);

/** Languages of corpora without doc comments. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  python: "py pyi",
  javascript: "js mjs cjs jsx",
  typescript: "ts tsx mts",
  go: "go",
  rust: "rs",
  java: "java",
  kotlin: "kt kts",
  cpp: "cc cpp cxx hpp hh",
  csharp: "cs",
  ruby: "rb",
  php: "php",
  swift: "swift",
  elixir: "ex exs",
};

const RECIPES: Readonly<Record<Corpus["kind"], Recipe>> = {
  git: repositoryFiles,
  nodoc: undocumentedFiles,
  docs: documentationFiles,
  tldr: tldrPages,
  cranfield: cranfieldAbstracts,
  cosqa: cosqaFunctions,
};

/** The files of a corpus. `repository` is a git directory that holds its commit. */
export function corpusFiles(corpus: Corpus, repository: string): Generator<CorpusFile> {
  return RECIPES[corpus.kind](corpus, repository);
}

function* repositoryFiles({ commit }: Corpus, repository: string): Generator<CorpusFile> {
  const paths = filesAt(repository, commit).filter((path) => !BINARY.has(extensionOf(path)));
  yield* readFiles(repository, commit, paths);
}

function* undocumentedFiles(corpus: Corpus, repository: string): Generator<CorpusFile> {
  const { commit, root, language } = corpus;
  const extensions = new Set((EXTENSIONS[language] ?? "").split(" "));
  const paths = filesAt(repository, commit).filter(
    (path) => (root === "" || path.startsWith(`${root}/`)) && extensions.has(extensionOf(path)),
  );
  for (const [path, content] of readFiles(repository, commit, paths)) {
    yield [path, stripDocs(content.toString(), language)];
  }
}

function* documentationFiles(corpus: Corpus, repository: string): Generator<CorpusFile> {
  const { commit, filter = "", blank = [] } = corpus;
  const expression = new RegExp(filter);
  const paths = filesAt(repository, commit).filter((path) => expression.test(path));
  for (const [path, content] of readFiles(repository, commit, paths)) {
    yield [path, blankLinks(content.toString(), blank)];
  }
}

function* tldrPages({ commit }: Corpus, repository: string): Generator<CorpusFile> {
  const paths = filesAt(repository, commit).filter((path) =>
    /^pages\/(?:common|linux)\/.+\.md$/.test(path),
  );
  for (const [path, content] of readFiles(repository, commit, paths)) {
    yield [path, content.toString().replace(/^> (?!More information).+\n/m, "")];
  }
}

/** One file of records: `.I` number, `.T` title, `.A` author, `.B` source, `.W` abstract. */
function* cranfieldAbstracts({ commit }: Corpus, repository: string): Generator<CorpusFile> {
  for (const [, content] of readFiles(repository, commit, ["cran.all.1400"])) {
    const records = content
      .toString()
      .replaceAll("\r", "")
      .matchAll(/^\.I (\d+)\s*$([\s\S]*?)(?=^\.I \d+\s*$|(?![\s\S]))/gm);
    for (const [, number = "", record = ""] of records) {
      const title = /\.T\n([\s\S]*?)\n?\.A\n/.exec(record)?.[1] ?? "";
      const abstract = /\.W\n([\s\S]*)$/.exec(record)?.[1] ?? "";
      const text = `${title.replaceAll(/\s+/g, " ").trim()}\n\n${abstract.trim()}\n`;
      yield [`docs/cran-${number.padStart(4, "0")}.txt`, text];
    }
  }
}

/** One JSON file, which maps function to number, becomes one file for each function, 250 per folder. */
function* cosqaFunctions({ commit }: Corpus, repository: string): Generator<CorpusFile> {
  for (const [, content] of readFiles(repository, commit, ["data/search/code_idx_map.txt"])) {
    const numbers: Readonly<Record<string, number>> = JSON.parse(content.toString());
    for (const [code, number] of Object.entries(numbers)) {
      const folder = `f${String(Math.floor(number / 250)).padStart(2, "0")}`;
      yield [`${folder}/snippet_${String(number).padStart(4, "0")}.py`, `${code}\n`];
    }
  }
}

function extensionOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}
