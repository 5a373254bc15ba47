import type { Engine, IndexResult, IndexRequest } from "../../engine/engine.ts";
import { SvcError } from "../../base/errors.ts";
import { indexRecord } from "../../tools/indexing/index-source.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { createProgress } from "../print/progress.ts";
import type { Io } from "../io.ts";
import { safeText } from "../print/safe-text.ts";
import { watchUntil } from "../watch-until.ts";

const TASKS = ["remove", "verify", "rebuild", "watch"] as const;

export const command = defineCommand({
  description:
    "Indexes a folder, the working directory by default: only what changed since is read. Files that .gitignore or .svcignore leave out, binary files, secrets and files over 1 MiB are not read; `svc status` tells how many. Nothing is written into the folder. A folder inside one that is indexed already is part of that one. A linked worktree or submodule has its git directory outside of the folder: to index it here is to allow svc to use that.\n\nA repository is named by its URL (https, ssh, git, file, or host:path), `#` and a branch, tag or commit behind it if need be. It is cloned into svc's data directory with the git of this machine, and fetched anew when it is indexed again, never in between. Nothing in it is run, and neither its submodules nor what Git LFS keeps elsewhere is fetched.",
  args: [
    {
      name: "path",
      suggests: "folder",
      description: "Folder or URL to index; the working directory by default.",
    },
  ],
  flags: {
    namespace: {
      type: "string",
      placeholder: "NS",
      description:
        "Put it into this namespace; by default the one that holds it, else one named after it.",
    },
    ref: {
      type: "string",
      placeholder: "REF",
      description: "Branch, tag or commit of the repository; its default branch by default.",
    },
    remove: {
      type: "boolean",
      description: "Take the folder or repository out of its namespace instead.",
    },
    rebuild: { type: "boolean", description: "Read every file again." },
    verify: {
      type: "boolean",
      description:
        "Read nothing but the index itself, all of it, and compare it with its checksums; exit code 2 when it is damaged, with what is and how to mend it.",
    },
    watch: {
      type: "boolean",
      description:
        "Stay, and index what changes within moments, until interrupted. Tells of each change on standard error; with --json a line each on standard output.",
    },
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc index ~/src/project", description: "Indexes the project." },
    {
      run: "svc index https://github.com/expressjs/express#4.x --namespace web",
      description: "Fetches a branch of a repository and indexes it.",
    },
    { run: "svc index --remove ~/src/project", description: "Takes it out of the index." },
    {
      run: "svc index --verify",
      description: "Whether the index of this folder is as it was written.",
    },
    {
      run: "svc index ~/src/project --watch",
      description: "Indexes it, and each change from then on.",
    },
  ],
  async run({ args, flags }, { app, io, signal }) {
    requireOneTask(flags);
    const engine = await app.engine();
    if (flags.remove) {
      const source = args.path ?? ".";
      const wanted = { source, ref: flags.ref, namespace: flags.namespace };
      const namespace = await engine.removeSource({ ...wanted, principal: app.owner, signal });
      if (flags.json) printJson(io, { namespace, removed: source });
      else io.out(safeText(`It is no longer part of "${namespace}".\n`));
      return undefined;
    }
    if (flags.verify) {
      const wanted = { source: args.path ?? ".", ref: flags.ref, namespace: flags.namespace };
      const found = await engine.verify({ ...wanted, principal: app.owner, signal });
      return printVerification(io, flags.json, found);
    }
    const progress = createProgress(io, "Indexing");
    const request: IndexRequest = {
      source: args.path ?? ".",
      ref: flags.ref,
      namespace: flags.namespace,
      rebuild: flags.rebuild,
      confirmsRoot: true,
      principal: app.owner,
      signal,
      onProgress: ({ stage, done, total }) => progress.update({ done, total, message: stage }),
    };
    let result: IndexResult;
    try {
      result = await engine.index(request);
    } finally {
      progress.end();
    }
    if (result.report?.outcome === "busy") throw busy(result);
    if (flags.json && flags.watch) io.out(`${JSON.stringify(indexRecord(result))}\n`);
    else if (flags.json) printJson(io, indexRecord(result));
    else io.out(summary(result));
    if (!flags.watch || signal.aborted) return undefined;
    await watchUntil(signal, { engine, namespace: result.namespace, io, asJson: flags.json });
    // Being told to end is how watching ends.
    return 0;
  },
});

/** Taking out, verifying and indexing are three things. */
function requireOneTask(flags: Readonly<Record<(typeof TASKS)[number], boolean>>): void {
  const [first, second] = TASKS.filter((task) => flags[task]);
  if (second === undefined || first === "rebuild") return;
  throw new SvcError("USAGE", `--${second} means nothing beside --${first}.`, {
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
  if (damage.length === 0) return `The index of "${namespace}" is as it was written.\n`;
  return [
    `The index of "${namespace}" is damaged:`,
    ...damage.map((what) => `  ${what}`),
    "Run `svc index --rebuild`: it puts the damaged files aside and reads every file again.",
    "",
  ].join("\n");
}

function busy({ namespace }: IndexResult): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
    hint: "Try again when it is done; `svc status` shows it.",
  });
}

function summary({ namespace, source, report, status }: IndexResult): string {
  if (report === undefined) return "";
  const { added, changed, removed, unchanged, elapsedMs, warnings } = report;
  const skipped = Object.values(status.skipped).reduce((sum, count) => sum + count, 0);
  const seconds = (elapsedMs / 1000).toFixed(elapsedMs < 10_000 ? 2 : 0);
  const megabytes = (status.bytes / 1e6).toFixed(1);
  return safeText(
    [
      `${source} is indexed as "${namespace}" in ${seconds} s.`,
      `${status.files} files (${megabytes} MB), ${status.chunks} chunks, ${status.symbols} symbols; ${skipped} files skipped.`,
      `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged.`,
      ...warnings.map((warning) => `Warning: ${warning}`),
      "",
    ].join("\n"),
  );
}
