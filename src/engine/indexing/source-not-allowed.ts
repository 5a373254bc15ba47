import { SvcError } from "../../base/errors.ts";
import { quoted } from "../../base/quoted.ts";

/**
 * The answer to a client that names a folder which its session may not index; the same whether or not something is there.
 * `folder` is an absolute path, `namespace` the one it would have come into.
 */
export function sourceNotAllowed(folder: string, namespace: string | undefined): SvcError {
  const place = namespace === undefined ? "" : ` --namespace ${namespace}`;
  return new SvcError(
    "SOURCE_NOT_ALLOWED",
    `${folder} is outside of the workspace and of the folders that are indexed already, so that only the user can add it.`,
    {
      hint: `If the user wants it, they run \`svc index ${quoted(folder)}${place}\` in a terminal, or add \`--allow-root DIR\` to \`svc mcp --stdio\` in the configuration of this client.`,
    },
  );
}
