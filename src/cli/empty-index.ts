import { counted } from "../base/amounts.ts";
import type { Engine } from "../engine/api/engine.ts";
import { namespaceListOf } from "../sources/namespace-list.ts";
import type { CommandContext } from "./command.ts";

/**
 * The reason of an empty answer that no other words would change: the index of the namespace has no file. Undefined if it
 * has some, and for several namespaces.
 */
export async function emptyIndexHint(
  {
    app,
    signal,
  }: Pick<CommandContext, "signal"> & {
    readonly app: Pick<CommandContext["app"], "owner">;
  },
  engine: Pick<Engine, "status">,
  namespace: string,
): Promise<string | undefined> {
  if (namespaceListOf(namespace) !== undefined) return undefined;
  const [found] = await engine.status({
    namespace,
    detail: "summary",
    principal: app.owner,
    signal,
  });
  if (found === undefined || found.files > 0) return undefined;
  const skipped = Object.values(found.skipped).reduce((sum, count) => sum + count, 0);
  const none = "Its index has no files";
  if (skipped === 0) return `${none}: svc found none in the folder.`;
  return `${none}: svc skipped ${counted(skipped, "file")}, which \`svc status --skipped\` lists.`;
}
