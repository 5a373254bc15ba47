import { resolve } from "node:path";

import type { Engine } from "../../engine/api/engine.ts";
import type { IndexRequest, IndexResult } from "../../engine/api/index-source.ts";
import type { DependencyOption } from "../../engine/api/dependencies.ts";
import { SvcError } from "../../base/errors.ts";
import { indexRecord } from "../../tools/indexing/index-source.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { openOffer, REMOTE_NAMESPACE_FLAG, requireOfferUsed } from "../index-offer.ts";
import { printJson } from "../print/json.ts";
import { dependenciesRecord } from "../print/dependencies.ts";
import { indexSummary, refusedText } from "../print/index-summary.ts";
import { createRunProgress } from "../print/progress.ts";
import type { Io } from "../io.ts";
import { safeText } from "../print/safe-text.ts";
import { watchUntil } from "../watch-until.ts";

const TASKS = ["remove", "verify", "rebuild", "watch"] as const;

export const command = defineCommand({
  description:
    "Indexes a folder (default: the working directory). Reads only files that changed since the last run. Skips files that .gitignore, .ignore, .svcignore or the .svc.toml of the project exclude, binary files, secrets and files over 1 MiB; `svc status` shows how many. Writes nothing into the folder. A folder inside an indexed folder becomes part of that index.\n\nThe first index of a worktree or a clone starts from that of its repository, if this machine has one: svc reads only files that differ. A linked worktree or submodule has its git directory outside the folder; indexing it with this command allows svc to use that directory.\n\nA repository is given by its URL (https, ssh, git, file, or host:path), optionally followed by `#` and a branch, tag or commit. svc clones it into its data directory with the git of this machine, and fetches it again only when you index it again. svc runs nothing in it, and fetches neither submodules nor Git LFS objects. If the index is in a database that has index nodes, one of them does this, and the command waits for the result.",
  args: [
    {
      name: "path",
      suggests: "folder",
      description: "Folder or URL to index (default: the working directory).",
    },
  ],
  flags: {
    namespace: {
      type: "string",
      placeholder: "NS",
      description:
        "Add it to this namespace (default: its current namespace, or a new one named after it).",
    },
    ref: {
      type: "string",
      placeholder: "REF",
      description: "Branch, tag or commit of the repository (default: its default branch).",
    },
    include: {
      type: "list",
      placeholder: "GLOB",
      description:
        "Index only files that match GLOB, as in a .gitignore (may be repeated). Later runs keep the globs; new ones replace them.",
    },
    exclude: {
      type: "list",
      placeholder: "GLOB",
      description:
        "Skip files and folders that match GLOB, even if git tracks them (may be repeated). Kept and replaced like --include.",
    },
    clearFilters: {
      type: "boolean",
      description: "Forget the --include and --exclude of earlier runs.",
    },
    remove: {
      type: "boolean",
      description: "Remove the folder or repository from its namespace instead.",
    },
    rebuild: {
      type: "boolean",
      description: "Read every file again and build a new index.",
    },
    verify: {
      type: "boolean",
      description:
        "Verify the checksums of the index without reading the files. If it is damaged, show the damage and the fix, and exit with 2.",
    },
    watch: {
      type: "boolean",
      description:
        "Keep running and index each change within moments, until interrupted. Reports each change on standard error, and with --json also as a line on standard output.",
    },
    scip: {
      type: "list",
      placeholder: "FILE",
      description:
        "Import FILE, a SCIP index of a compiler-based indexer such as scip-typescript (may be repeated). Its definitions and references are exact in every file that has not changed since it was written; in other files svc resolves names itself. `svc status` shows how many files are current.",
    },
    forgetScip: {
      type: "boolean",
      description: "Stop using imported SCIP indexes.",
    },
    dependencies: {
      type: "boolean",
      description:
        "Also index the direct dependencies of the project, at the installed versions: from node_modules, .venv, venv or VIRTUAL_ENV, vendor or Go's module cache, and Cargo's registry. Each gets a namespace, such as npm-undici-6.21.0, which all projects share. Later runs of `svc index` keep them up to date. `svc search --dependencies` searches them.",
    },
    dependency: {
      type: "list",
      placeholder: "NAME",
      description:
        "Index only these dependencies (may be repeated). Kept and replaced like --include.",
    },
    forgetDependencies: {
      type: "boolean",
      description: "Stop indexing dependencies, and remove those that no other project uses.",
    },
    fromRemote: {
      type: "string",
      placeholder: "URL",
      description:
        "Start from the index that a server, such as https://svc.example.org, has of this repository, and read only files that differ. Later runs use it too, so that a pull costs little. The server must run with --share-indexes. The token is SERVICE_TOKEN, else the one saved by `svc auth login`.",
    },
    remoteNamespace: REMOTE_NAMESPACE_FLAG,
    here: {
      type: "boolean",
      description:
        "Fetch and index the repository on this machine, even if the team has index nodes (`svc serve --role`).",
    },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc index ~/src/project", description: "Index a project." },
    {
      run: "svc index https://github.com/expressjs/express#4.x --namespace web",
      description: "Fetch and index a branch of a repository.",
    },
    {
      run: "svc index --include 'src/**' --exclude '*.snap'",
      description: "Index part of a project.",
    },
    {
      run: "svc index --scip index.scip",
      description: "Take definitions and references from a compiler.",
    },
    {
      run: "svc index --dependencies",
      description: "Also index the packages that the project uses.",
    },
    {
      run: "svc index --from-remote https://svc.example.org",
      description: "Start from the index of a team.",
    },
    { run: "svc index --remove ~/src/project", description: "Remove a project from the index." },
    {
      run: "svc index --verify",
      description: "Verify the index of this folder.",
    },
    {
      run: "svc index ~/src/project --watch",
      description: "Index a project, and then each change.",
    },
  ],
  async run({ args, flags }, { app, io, signal }) {
    requireOneTask(flags);
    requireNoFilters(flags);
    requireOfferUsed(flags);
    const scip = scipFiles(flags);
    const dependencies = dependencyOption(flags);
    const engine = await app.engine();
    if (flags.remove) {
      const source = args.path ?? ".";
      const wanted = { source, ref: flags.ref, namespace: flags.namespace };
      const namespace = await engine.removeSource({ ...wanted, principal: app.owner, signal });
      if (flags.json) printJson(io, { namespace, removed: source });
      else io.out(safeText(`Removed ${source} from "${namespace}".\n`));
      return undefined;
    }
    if (flags.verify) {
      const wanted = { source: args.path ?? ".", ref: flags.ref, namespace: flags.namespace };
      const found = await engine.verify({ ...wanted, principal: app.owner, signal });
      return printVerification(io, flags.json, found);
    }
    const offer = await openOffer({ ...flags, path: args.path }, app, signal);
    const progress = createRunProgress(io);
    const request: IndexRequest = {
      source: args.path ?? ".",
      ref: flags.ref,
      namespace: flags.namespace,
      ...filtersOf(flags),
      rebuild: flags.rebuild,
      isHere: flags.here,
      offer,
      onFetched: progress.fetched,
      scip,
      forgetsScip: flags.forgetScip,
      dependencies,
      onDependencies: progress.dependencies,
      confirmsRoot: true,
      isOnlyTask: true,
      principal: app.owner,
      signal,
      onProgress: progress.update,
    };
    let result: IndexResult;
    try {
      result = await engine.index(request);
    } catch (thrown) {
      throw flags.dependencies ? namesPackage(thrown, args.path) : thrown;
    } finally {
      progress.end();
      await offer?.close();
    }
    if (result.report?.outcome === "busy") throw busy(result);
    printResult(io, result, flags);
    if (!flags.watch || signal.aborted) return undefined;
    const { namespace } = result;
    await watchUntil(signal, { engine, principal: app.owner, namespace, io, asJson: flags.json });
    // An interrupt is the normal end of watching.
    return 0;
  },
});

/** The SCIP indexes to import; undefined for none. Throws USAGE with a task that does not index. */
function scipFiles({
  scip,
  forgetScip,
  remove,
  verify,
}: {
  readonly scip: readonly string[];
  readonly forgetScip: boolean;
  readonly remove: boolean;
  readonly verify: boolean;
}): readonly string[] | undefined {
  if (scip.length === 0 && !forgetScip) return undefined;
  if (remove || verify) {
    throw new SvcError(
      "USAGE",
      `--${remove ? "remove" : "verify"} takes no --scip and --forget-scip.`,
    );
  }
  if (scip.length > 0 && forgetScip) {
    throw new SvcError("USAGE", "--scip cannot be used with --forget-scip.", {
      hint: "A new import replaces the facts of the files that it describes.",
    });
  }
  return scip.length === 0 ? undefined : scip.map((path) => resolve(path));
}

interface DependencyFlags {
  readonly dependencies: boolean;
  readonly dependency: readonly string[];
  readonly forgetDependencies: boolean;
  readonly remove: boolean;
  readonly verify: boolean;
}

/** What to do with the indexes of packages. Throws USAGE for flags that exclude each other. */
function dependencyOption(flags: DependencyFlags): DependencyOption {
  const { dependencies, dependency, forgetDependencies, remove, verify } = flags;
  const given = [
    ...(dependencies ? ["--dependencies"] : []),
    ...(dependency.length > 0 ? ["--dependency"] : []),
    ...(forgetDependencies ? ["--forget-dependencies"] : []),
  ];
  const [first, second] = given;
  if (first === undefined) return "keep";
  if (remove || verify)
    throw new SvcError("USAGE", `--${remove ? "remove" : "verify"} takes no ${first}.`);
  if (second !== undefined) {
    throw new SvcError("USAGE", `${first} and ${second} cannot be used together.`, {
      hint: "--dependencies is for all direct ones, --dependency NAME for some.",
    });
  }
  if (forgetDependencies) return "forget";
  return dependencies ? "all" : { only: dependency };
}

/** For `svc index --dependencies undici`, where the name is read as PATH. */
function namesPackage(thrown: unknown, path: string | undefined): unknown {
  const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
  if (!isMissing || path === undefined || !/^(?:@[\w.-]+\/)?[\w.,-]+$/.test(path)) return thrown;
  return new SvcError("PATH_NOT_FOUND", thrown.detail, {
    hint: `Name an existing folder. To index only some packages: svc index --dependency ${path}`,
    cause: thrown,
  });
}

interface FilterFlags {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly clearFilters: boolean;
}

/** The globs to store; undefined keeps those that are stored. */
function filtersOf({
  include,
  exclude,
  clearFilters,
}: FilterFlags): Pick<IndexRequest, "include" | "exclude"> {
  const given = (globs: readonly string[]): readonly string[] | undefined =>
    globs.length > 0 || clearFilters ? globs : undefined;
  return { include: given(include), exclude: given(exclude) };
}

function printResult(
  io: Io,
  result: IndexResult,
  { json, watch }: { readonly json: boolean; readonly watch: boolean },
): void {
  const record = {
    ...indexRecord(result),
    ...(result.fetchedBytes === undefined ? {} : { fetched_bytes: result.fetchedBytes }),
    ...dependenciesRecord(result.dependencies),
  };
  if (json && watch) io.out(`${JSON.stringify(record)}\n`);
  else if (json) printJson(io, record);
  else io.out(indexSummary(result));
  const warnings = [...(result.report?.warnings ?? []), ...(result.refused ?? []).map(refusedText)];
  for (const warning of warnings) io.err(safeText(`Warning: ${warning}\n`));
}

/** Throws USAGE for globs with a task that ignores them. */
function requireNoFilters({
  include,
  exclude,
  clearFilters,
  remove,
  verify,
}: FilterFlags & { readonly remove: boolean; readonly verify: boolean }): void {
  if (!remove && !verify) return;
  if (include.length === 0 && exclude.length === 0 && !clearFilters) return;
  const task = remove ? "remove" : "verify";
  throw new SvcError("USAGE", `--${task} takes no --include, --exclude and --clear-filters.`);
}

/** Throws USAGE for two tasks at once; only --rebuild and --watch go together. */
function requireOneTask(flags: Readonly<Record<(typeof TASKS)[number], boolean>>): void {
  const [first, second] = TASKS.filter((task) => flags[task]);
  if (second === undefined || first === "rebuild") return;
  throw new SvcError("USAGE", `--${second} cannot be used with --${first}.`, {
    hint: "Run one after the other.",
  });
}

function printVerification(
  io: Io,
  asJson: boolean,
  { namespace, damage }: Awaited<ReturnType<Engine["verify"]>>,
): number | undefined {
  if (asJson) printJson(io, { namespace, damage });
  else io.out(safeText(verificationText(namespace, damage)));
  return damage.length === 0 ? undefined : 2;
}

function verificationText(namespace: string, damage: readonly string[]): string {
  if (damage.length === 0) return `The index of "${namespace}" is intact.\n`;
  return [
    `The index of "${namespace}" is damaged:`,
    ...damage.map((what) => `  ${what}`),
    "Run `svc index --rebuild` to set the damaged files aside and read every file again.",
    "",
  ].join("\n");
}

function busy({ namespace }: IndexResult): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
    hint: "Try again when it is done; `svc status` shows the progress.",
  });
}
