// Opens the index of the project that a command is about. Its paths are those of the shell.

import { isAbsolute } from "node:path";

import { SvcError } from "../base/errors.ts";
import type { App } from "../app.ts";
import type { Engine } from "../engine/api/engine.ts";
import type { ShownProgress } from "../engine/api/index-report.ts";
import type { NamedPlace } from "../engine/workspace.ts";
import type { Source } from "../sources/registry/records.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";
import type { CommandContext } from "./command.ts";
import { engineAtShell } from "./engine-at-shell.ts";
import { isInside } from "../sources/confined-path.ts";
import { prepareFirstIndex } from "./first-index.ts";
import { createRunProgress } from "./print/progress.ts";
import { readRegistry } from "./known-namespaces.ts";
import { ShellPaths } from "./shell-paths.ts";

interface ProjectChoice {
  /** The PATH argument: a file or folder of the project. */
  readonly path?: string | undefined;
  /** The value of `--namespace`. */
  readonly namespace: string | undefined;
  /** Whether queries are also about the packages that the project depends on. */
  readonly withDependencies?: boolean;
  readonly showsSecrets?: boolean;
  /** PATH may also be a path of the index, such as one of a file that is gone. It does not limit queries. */
  readonly isOfIndex?: boolean;
  /** The argument before PATH: both may be words of one query without quotes. */
  readonly positional?: { readonly command: string; readonly text: string };
}

/** The project that a command is about. */
export interface OpenedProject {
  /** Takes and returns paths as the shell has them, and limits queries to PATH. */
  readonly engine: Engine;
  /** The value of `--namespace`. */
  readonly namespace: string | undefined;
  readonly withDependencies?: boolean;
  /** Whether only a namespace is named, so that no folder must be indexed. */
  readonly isNamed: boolean;
  /** Returns the file of a path that the engine returned; undefined for one of a clone or of another machine. */
  readonly fileOf: (path: string) => string | undefined;
  /** Must be called before the folder is indexed: see `prepareFirstIndex`. Does nothing if it is already. */
  readonly prepare: () => Promise<void>;
}

/**
 * Opens the project around PATH, or around the working directory. With only a namespace there is no folder. Throws
 * PATH_NOT_FOUND for a PATH that does not exist, and what `App.engine` throws.
 */
export async function openProject(
  context: Pick<CommandContext, "app" | "io">,
  choice: ProjectChoice,
): Promise<OpenedProject> {
  const { app } = context;
  const { path, namespace, showsSecrets, isOfIndex = false } = choice;
  const wanted = namespace ?? app.settings.namespace;
  let registry = await readRegistry(app);
  const place = await placeOf(app, registry, choice);
  const root = place?.root;
  const showRebuild = (): ShownProgress => createRunProgress(context.io);
  const engine = await app.engine({ root, namespace, showsSecrets, showRebuild });

  /** The paths of a namespace; by default of that which the project is in, or will be in. */
  const pathsOf = async (answered = wanted): Promise<ShellPaths> => {
    let folders = foldersOf(registry, root, answered);
    if (folders === undefined) {
      // The project may have been indexed meanwhile, for the first time.
      registry = await readRegistry(app);
      folders = foldersOf(registry, root, answered);
    }
    return new ShellPaths({
      workingDirectory: app.workingDirectory,
      folders: folders ?? (root === undefined ? [] : [{ root, prefix: "", url: undefined }]),
      project: root,
      isAbsolute: path !== undefined && isAbsolute(path),
    });
  };
  const files = new Map<string, string>();
  return {
    engine: engineAtShell(engine, {
      pathsOf,
      within: path === undefined || isOfIndex ? undefined : place?.path,
      onFile: (shown, file) => files.set(shown, file),
    }),
    namespace,
    withDependencies: choice.withDependencies ?? false,
    isNamed: place === undefined,
    fileOf: (shown) => files.get(shown),
    async prepare() {
      const isNew = place !== undefined && foldersOf(registry, root, wanted) === undefined;
      if (isNew) await prepareFirstIndex(context, place, registry);
    },
  };
}

/** The sources of a namespace; undefined if it is unknown, or does not have the project yet. */
function foldersOf(
  registry: RegistryState | undefined,
  root: string | undefined,
  namespace: string | undefined,
): readonly Source[] | undefined {
  const name = namespace ?? (root === undefined ? undefined : registry?.namespaceOf(root));
  const sources = name === undefined ? [] : (registry?.sources(name) ?? []);
  const isKnown = root === undefined || sources.some((source) => source.root === root);
  return isKnown && sources.length > 0 ? sources : undefined;
}

/** Where PATH is, or the working directory; undefined if only a namespace is named. */
async function placeOf(
  app: App,
  registry: RegistryState | undefined,
  { path, namespace, isOfIndex = false, positional }: ProjectChoice,
): Promise<NamedPlace | undefined> {
  if (path === undefined && namespace !== undefined) return undefined;
  const wanted = { path, registry, namespace: namespace ?? app.settings.namespace };
  if (!isOfIndex) return requirePlace(app, wanted, positional);
  const place = await app.project(wanted).catch(() => undefined);
  if (namespace === undefined) {
    if (place?.isProject === true) return place;
    const here = await app.project({ ...wanted, path: undefined });
    return place === undefined || isInside(here.root, place.path) ? here : place;
  }
  const isThere = registry?.sources(namespace).some(({ root }) => root === place?.root) ?? false;
  return isThere ? place : undefined;
}

/** For `svc search routing works`, where the second word of a query without quotes is read as PATH, the error says so. */
async function requirePlace(
  app: App,
  wanted: Parameters<App["project"]>[0],
  positional: ProjectChoice["positional"],
): Promise<NamedPlace> {
  const { path } = wanted;
  try {
    return await app.project(wanted);
  } catch (thrown) {
    const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
    if (!isMissing || positional === undefined || path === undefined || /[/\\]/.test(path))
      throw thrown;
    const whole = JSON.stringify(`${positional.text} ${path}`);
    throw new SvcError("PATH_NOT_FOUND", thrown.message, {
      hint: `Name an existing file or folder that you may read, or quote the query: svc ${positional.command} ${whole}`,
      cause: thrown,
    });
  }
}
