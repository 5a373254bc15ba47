import { SvcError } from "../base/errors.ts";
import { isForbiddenRoot, requireFolder, siblingHint } from "../sources/confined-path.ts";
import { gitTopLevel } from "../sources/git.ts";

interface WorkspaceOptions {
  /** `--root`, used as given. */
  readonly root: string | undefined;
  readonly workingDirectory: string;
  readonly home: string;
}

/**
 * The folder of a session: `root`, else the git top level of the working directory, else the working directory.
 * Throws NO_WORKSPACE for `/` and the home directory.
 */
export function workspaceRoot({ root, workingDirectory, home }: WorkspaceOptions): string {
  const folder = root ?? gitTopLevel(workingDirectory) ?? workingDirectory;
  const found = requireFolder(folder, siblingHint);
  if (!isForbiddenRoot(found, home)) return found;
  throw new SvcError("NO_WORKSPACE", `${found} is too wide to be indexed as a workspace.`, {
    hint: "Start svc inside a project or name one: `svc search QUERY DIR`, `svc mcp --stdio --root DIR`.",
  });
}
