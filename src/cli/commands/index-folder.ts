import type { Engine, IndexAnswer, IndexRequest } from "../../engine/engine.ts";
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
    "Indexes a folder, the working directory by default: only what changed since is read. Files that .gitignore or .svcignore leave out, binary files, secrets and files over 1 MiB are not read; `svc status` tells how many. Nothing is written into the folder. A folder inside one that is indexed already is part of that one.\n\nA repository is named by its URL (https, ssh, git, file, or host:path), `#` and a branch, tag or commit behind it if need be. It is cloned into svc's data directory with the git of this machine, and fetched anew when it is indexed again, never in between. Nothing in it is run, and neither its submodules nor what Git LFS keeps elsewhere is fetched.",
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
    { run: "svc index ~/src/project", shows: "Indexes the project." },
    {
      run: "svc index https://github.com/expressjs/express#4.x --namespace web",
      shows: "Fetches a branch of a repository and indexes it.",
    },
    { run: "svc index --remove ~/src/project", shows: "Takes it out of the index." },
    { run: "svc index --verify", shows: "Whether the index of this folder is as it was written." },
    { run: "svc index ~/src/project --watch", shows: "Indexes it, and each change from then on." },
  ],
  async run({ args, flags }, { app, io, signal }) {
    requireOneTask(flags);
    const engine = await app.engine();
    if (flags.remove) {
      const source = args.path ?? ".";
      const wanted = { source, ref: flags.ref, namespace: flags.namespace };
      const namespace = await engine.removeSource({ ...wanted, caller: app.owner, signal });
      if (flags.json) printJson(io, { namespace, removed: source });
      else io.out(safeText(`It is no longer part of "${namespace}".\n`));
      return undefined;
    }
    if (flags.verify) {
      const wanted = { source: args.path ?? ".", ref: flags.ref, namespace: flags.namespace };
      const found = await engine.verify({ ...wanted, caller: app.owner, signal });
      return tellVerdict(io, flags.json, found);
    }
    const progress = createProgress(io, "Indexing");
    const request: IndexRequest = {
      source: args.path ?? ".",
      ref: flags.ref,
      namespace: flags.namespace,
      rebuild: flags.rebuild,
      caller: app.owner,
      signal,
      onProgress: ({ stage, done, total }) => progress.update({ done, total, message: stage }),
    };
    let answer: IndexAnswer;
    try {
      answer = await engine.index(request);
    } finally {
      progress.end();
    }
    if (answer.report?.outcome === "busy") throw busy(answer);
    if (flags.json && flags.watch) io.out(`${JSON.stringify(indexRecord(answer))}\n`);
    else if (flags.json) printJson(io, indexRecord(answer));
    else io.out(summary(answer));
    if (!flags.watch || signal.aborted) return undefined;
    await watchUntil(signal, { engine, namespace: answer.namespace, io, asJson: flags.json });
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

function tellVerdict(
  io: Io,
  asJson: boolean,
  { namespace, damage }: Awaited<ReturnType<Engine["verify"]>>,
): number | undefined {
  if (asJson) printJson(io, { namespace, damage });
  else io.out(safeText(verdict(namespace, damage)));
  return damage.length === 0 ? undefined : 2;
}

function verdict(namespace: string, damage: readonly string[]): string {
  if (damage.length === 0) return `The index of "${namespace}" is as it was written.\n`;
  return [
    `The index of "${namespace}" is damaged:`,
    ...damage.map((what) => `  ${what}`),
    "Run `svc index --rebuild`: it puts the damaged files aside and reads every file again.",
    "",
  ].join("\n");
}

function busy({ namespace }: IndexAnswer): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
    hint: "Try again when it is done; `svc status` shows it.",
  });
}

function summary({ namespace, source, report, status }: IndexAnswer): string {
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
