import type { ImpactFile, ImpactResult } from "../../engine/api/impact.ts";
import { impactTexts } from "../../tools/analysis/analyze-impact.ts";
import { withCommands } from "../commands-of-tools.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, JSON_FLAG, MAX_TOKENS_FLAG } from "../command.ts";
import { openProject } from "../open-project.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { SCOPE_FLAGS, searchScope } from "../search-scope.ts";
import { pathIn } from "../shell-paths.ts";

const NOTHING_FOUND = 1;

export const command = defineCommand({
  description:
    "Shows what a change may break: direct and indirect users, the tests to run, files that are likely to change with it, documentation, and public entry points. Without a target, shows what the uncommitted changes may break.",
  args: [
    {
      name: "target",
      suggests: "file",
      description:
        "NAME, PATH, PATH:10-40, or a git change: working, staged, REF, A..B or REF^! (default: working).",
    },
  ],
  flags: {
    depth: {
      type: "integer",
      default: 3,
      min: 1,
      max: 6,
      placeholder: "N",
      description: "Levels to follow; 1 shows only direct users.",
    },
    maxTokens: MAX_TOKENS_FLAG,
    at: AT_FLAG,
    ...SCOPE_FLAGS,
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc impact", description: "Show what the uncommitted changes may break." },
    { run: "svc impact Session.open", description: "Show what a change to a method may break." },
    {
      run: "svc impact lib/index.ts --all",
      description: "Also show the users in other projects that depend on the package.",
    },
    { run: "svc impact main..HEAD --json", description: "Print the impact of a branch as JSON." },
  ],
  exitCodes: { 1: "Nothing is affected." },
  async run({ args: { target = "working" }, flags }, context) {
    const { app, io } = context;
    const project = await openProject(context, {
      path: pathIn(target),
      isOfIndex: true,
      namespace: searchScope(flags, undefined),
    });
    const { depth, maxTokens } = flags;
    const result = await queryUpToDate(
      context,
      project,
      (where) => project.engine.impact({ target, depth, principal: app.owner, ...where }),
      flags.at,
    );
    if (flags.json) printJson(io, jsonOf(result));
    else {
      await withPager(context, flags.pager, (paged) => {
        for (const text of impactTexts(result, maxTokens))
          paged.io.out(`${safeText(withCommands(text))}\n`);
      });
    }
    const { files, tests, likelyChanges, docs } = result;
    return files.length + tests.length + likelyChanges.length + docs.length === 0
      ? NOTHING_FOUND
      : 0;
  },
});

function jsonOf(result: ImpactResult): unknown {
  const { namespace, generation, description, depth, isComplete } = result;
  return {
    namespace,
    generation,
    target: description,
    depth,
    changed: result.changedFiles.map(({ path, status, symbols, gone, ...one }) => ({
      ...namespaceOf(one),
      path,
      status,
      symbols,
      removed: gone,
    })),
    users: result.files.map(recordOf),
    tests: result.tests.map(found),
    likely_changes: result.likelyChanges.map(found),
    docs: result.docs.map(found),
    entry_points: result.entryPoints,
    complete: isComplete,
    ...(result.missing === undefined ? {} : { missing: result.missing }),
  };
}

function namespaceOf({ namespace }: { readonly namespace?: string }): object {
  return namespace === undefined ? {} : { namespace };
}

function found({
  path,
  why,
  ...one
}: {
  readonly path: string;
  readonly why: readonly string[];
  readonly namespace?: string;
}): unknown {
  return { ...namespaceOf(one), path, why };
}

function recordOf({ path, depth, users, version, ...one }: ImpactFile): unknown {
  return {
    ...namespaceOf(one),
    path,
    ...(version === undefined ? {} : { version }),
    depth,
    users: users.map(({ symbol, line, role, certainty, depth: ofUser, via }) => ({
      symbol,
      line,
      role,
      certainty,
      depth: ofUser,
      uses: via,
    })),
  };
}
