import { SvcError } from "../../base/errors.ts";
import { quoted } from "../../base/quoted.ts";
import type { Engine } from "../../engine/api/engine.ts";
import type { NamespaceStatus } from "../../engine/api/status.ts";
import { isRootMissing } from "../../sources/source-root.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG, type CommandContext } from "../command.ts";
import { confirm } from "../confirm.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Permanently deletes a namespace, its index, and the clones of repositories that no other namespace uses. Every running svc process answers NAMESPACE_NOT_FOUND from its next call on. Your folders do not change. API keys and tokens for the namespace stay valid but find nothing. Asks for confirmation; without a terminal, --yes is required.",
  args: [
    {
      name: "name",
      suggests: "namespace",
      description: "Name of the namespace (see `svc namespaces list`).",
    },
  ],
  flags: {
    gone: {
      type: "boolean",
      description:
        "Delete every namespace whose folders no longer exist, such as deleted worktrees.",
    },
    yes: { type: "boolean", short: "y", description: "Do not ask for confirmation." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc namespaces remove web --yes",
      description: "Delete a namespace without confirmation.",
    },
    {
      run: "svc namespaces remove --gone",
      description: "Delete the namespaces of deleted worktrees.",
    },
  ],
  async run({ args: { name }, flags }, { app, io, signal }) {
    requireOne(name, flags.gone);
    if (flags.gone && app.settings.backend !== undefined) {
      throw new SvcError(
        "USAGE",
        "--gone: folders in a shared database may be on other machines.",
        {
          hint: "Name the namespace to delete.",
        },
      );
    }
    const engine = await app.engine();
    const caller = { principal: app.owner, signal };
    const removed = await chosen(engine, name, caller);
    if (removed.length === 0) {
      if (flags.json) printJson(io, { removed: [] });
      else io.err("The folders of all namespaces are there, so nothing was removed.\n");
      return;
    }
    if (!flags.yes && !(await confirm(questionOf(removed), { io, signal }))) {
      io.err("Nothing was removed.\n");
      return;
    }
    for (const { name: namespace } of removed) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that an interrupt leaves the others
      await engine.removeNamespace({ ...caller, namespace });
      if (!flags.json) io.out(safeText(`Removed "${namespace}".\n`));
    }
    if (flags.json) printJson(io, { removed: name ?? removed.map((one) => one.name) });
  },
});

type Chosen = Pick<NamespaceStatus, "name" | "files" | "sources">;

/** Throws USAGE for a name and `--gone`, and for neither. */
function requireOne(name: string | undefined, isGone: boolean): void {
  if ((name === undefined) === isGone) return;
  throw new SvcError(
    "USAGE",
    isGone ? "--gone and a name cannot be used together." : "Name a namespace.",
    { hint: "`svc namespaces list` shows them; --gone means those whose folders no longer exist." },
  );
}

async function chosen(
  engine: Pick<Engine, "status">,
  namespace: string | undefined,
  caller: { readonly principal: CommandContext["app"]["owner"]; readonly signal: AbortSignal },
): Promise<readonly Chosen[]> {
  const request = { ...caller, detail: "summary" } as const;
  if (namespace === undefined) return (await engine.status(request)).filter(isGoneFromDisk);
  const [status] = await engine.status({ ...request, namespace });
  return [status ?? { name: namespace, files: 0, sources: [] }];
}

/** Whether none of its folders exists. One that cannot be checked may exist. */
function isGoneFromDisk({ sources }: Chosen): boolean {
  return (
    sources.length > 0 && sources.every(({ root, url }) => url === undefined && isRootMissing(root))
  );
}

function questionOf(removed: readonly Chosen[]): string {
  const [only] = removed;
  if (removed.length === 1 && only !== undefined)
    return `Permanently delete "${only.name}" and its index of ${only.files} files?`;
  const lines = removed.map(({ name, sources }) => {
    const roots = sources.map(({ root }) => quoted(root)).join(", ");
    return `  ${name}  ${roots}\n`;
  });
  return `The folders of these namespaces do not exist:\n${lines.join("")}Permanently delete all ${removed.length} with their indexes?`;
}
