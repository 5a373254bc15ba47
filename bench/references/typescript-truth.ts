// node bench/references/typescript-truth.ts --mirrors DIR [--cache DIR] [--only NAME,…] [--count N] [--out DIR]
// The users of a sample of the definitions of each repository of repositories.ts, from TypeScript's own
// language service. Stored in truth/, for score.ts; work trees and packages are in the cache folder.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { checkOut } from "./checkout.ts";
import { definitionsIn } from "./definitions.ts";
import { findReferences, placeIn } from "./find-references.ts";
import {
  loadTypeScript,
  openLanguageService,
  TYPESCRIPT,
  type LanguageService,
} from "./language-service.ts";
import { objectDefinitionsIn, type ObjectMember } from "./object-definitions.ts";
import { REPOSITORIES, type Repository } from "./repositories.ts";
import { stratified } from "./sample.ts";
import { scriptDefinitionsIn } from "./script-definitions.ts";
import {
  countsOf,
  isLookedThrough,
  TRUTH_FOLDER,
  writeTruth,
  type Manifest,
  type Truth,
} from "./truth.ts";

interface Options {
  readonly mirrors: string;
  readonly cache: string;
  readonly out: string;
  readonly count: number;
}

interface Candidate extends ObjectMember {
  readonly path: string;
}

const PLAIN_SOURCE = /\.[cm]?jsx?$/;
const TYPED_SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const TEST = /[._](?:test|spec|bench)\.|(?:^|\/)(?:__tests__|fixtures?)\//;
const SEED = "references-1";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    only: { type: "string", default: REPOSITORIES.map(({ name }) => name).join(",") },
    count: { type: "string" },
    out: { type: "string", default: TRUTH_FOLDER },
  },
});
const only = values.only.split(",");
for (const repository of REPOSITORIES) {
  if (!only.includes(repository.name)) continue;
  const { mirrors, cache, out } = values;
  console.log(
    await makeTruth(repository, {
      mirrors,
      cache,
      out,
      count: Number(values.count ?? repository.count ?? 400),
    }),
  );
}

/** Returns a line that describes the result. */
async function makeTruth(repository: Repository, options: Options): Promise<string> {
  const started = performance.now();
  const { name, github, commit, sources, isScript = false, compilerOptions } = repository;
  const { ofObjects = false } = repository;
  const checkout = checkOut(repository, { mirrors: options.mirrors, folder: options.cache });
  const { root } = checkout;
  const typescript = await loadTypeScript(options.cache);
  const files = checkout.files.filter(isLookedThrough);
  const service = openLanguageService(typescript, root, files, compilerOptions);
  const sourceOf = (path: string) => service.getProgram()?.getSourceFile(join(root, path));
  const candidates = files
    .filter((path) => (isScript ? PLAIN_SOURCE : TYPED_SOURCE).test(path) && !TEST.test(path))
    .filter((path) => sources.some((folder) => path.startsWith(folder)))
    .flatMap((path): readonly Candidate[] => {
      const source = sourceOf(path);
      if (source === undefined) return [];
      const file = join(root, path);
      if (ofObjects) {
        return objectDefinitionsIn(typescript, source).map((one) => ({ path, ...one }));
      }
      const found = isScript
        ? scriptDefinitionsIn(typescript, source).filter(({ at }) => isDefinedAt(service, file, at))
        : definitionsIn(service.getNavigationTree(file), source.text);
      return found.map((definition) => ({ path, ...definition }));
    });
  const { count } = options;
  const scripts = isScript ? files.map((path) => join(root, path)) : undefined;
  const seed = `${SEED}\0${name}`;
  const sample = stratified(candidates, ({ kind }) => kind, { count, seed });
  const truths = sample.flatMap(({ path, at, askedAt, ...definition }): readonly Truth[] => {
    const source = sourceOf(path);
    const file = join(root, path);
    const references = findReferences({ typescript, service, root }, file, askedAt ?? at, scripts);
    if (source === undefined || references === undefined) return [];
    return [{ ...definition, ...placeIn(source, path, at), references }];
  });
  const manifest: Manifest = {
    name,
    repository: github,
    commit,
    tool: TYPESCRIPT,
    packages: checkout.withoutPackages ?? "installed",
    seed: SEED,
    definitions: countsOf(candidates, truths),
    references: truths.reduce((sum, { references }) => sum + references.length, 0),
  };
  writeTruth(options.out, manifest, truths);
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${name}: ${truths.length} of ${candidates.length} definitions, ${manifest.references} references, packages ${manifest.packages}, ${seconds} s`;
}

/** Whether the compiler takes the place for the definition: not for a property that is defined elsewhere. */
function isDefinedAt(service: LanguageService, file: string, at: number): boolean {
  const places = service.getDefinitionAtPosition(file, at) ?? [];
  return places.some(({ fileName, textSpan }) => fileName === file && textSpan.start === at);
}
