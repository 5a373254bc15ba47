// Counts the files that use each definition of one name.

import { Yielder } from "../base/yielder.ts";
import type { FileUses } from "../index/port.ts";
import type { Use } from "../parse/references/references.ts";
import type { NameResolver } from "./name-resolver.ts";
import { resolveUse } from "./resolve-use.ts";
import { mayUse } from "./template-uses.ts";
import type { UseResolution } from "./use-resolution.ts";

/** A definition whose users are counted. */
export interface CountedTarget {
  readonly language: string;
  /** Uses of the names under which other modules export it again. */
  readonly others: readonly FileUses[];
  /** False for a use that certainly refers to something else. */
  readonly isPossible: (use: Use) => boolean;
  /** Whether it is a constructor: see `resolveUse`. */
  readonly toConstructors: boolean;
  readonly isMeant: (resolution: UseResolution) => boolean;
}

interface CountOptions {
  /** The uses of the name. */
  readonly files: readonly FileUses[];
  /** Undefined for a definition that no longer exists. */
  readonly targets: readonly (CountedTarget | undefined)[];
  readonly signal: AbortSignal | undefined;
}

/** Returns for each target the number of files that use it; a partial count if the signal aborts. */
export async function countUsingFiles(
  names: NameResolver,
  { files, targets, signal }: CountOptions,
): Promise<readonly number[]> {
  const paths = new Map<CountedTarget, Set<string>>();
  for (const target of targets) if (target !== undefined) paths.set(target, new Set());
  await collect(names, { files, paths, signal });
  for (const [target, found] of paths) {
    const own = new Map([[target, found]]);
    // oxlint-disable-next-line no-await-in-loop -- few are exported again under other names
    await collect(names, { files: target.others, paths: own, signal });
  }
  return targets.map((target) => (target && paths.get(target)?.size) ?? 0);
}

async function collect(
  names: NameResolver,
  {
    files,
    paths,
    signal,
  }: {
    readonly files: readonly FileUses[];
    readonly paths: ReadonlyMap<CountedTarget, Set<string>>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const yielder = new Yielder();
  for (const { path, language, uses } of files) {
    // oxlint-disable-next-line no-await-in-loop -- gives way when it has taken long
    await yielder.yieldIfDue();
    if (signal?.aborted === true) return;
    const likely = [...paths].filter(([target]) =>
      uses.some((use) => mayUse(language, use, target.language)),
    );
    // oxlint-disable-next-line no-await-in-loop -- mostly in memory
    const file = likely.length === 0 ? undefined : await names.context.symbols.file(path);
    if (file === undefined) continue;
    for (const use of uses) {
      const open = likely.filter(
        ([target, found]) =>
          !found.has(path) && mayUse(language, use, target.language) && target.isPossible(use),
      );
      if (open.length === 0) continue;
      const resolutions = new Map<boolean, UseResolution>();
      for (const [target, found] of open) {
        const { toConstructors } = target;
        const resolution =
          resolutions.get(toConstructors) ??
          // oxlint-disable-next-line no-await-in-loop -- once for all targets of a kind
          (await resolveUse(names, file, use, { toConstructors }));
        resolutions.set(toConstructors, resolution);
        if (target.isMeant(resolution)) found.add(path);
      }
    }
  }
}
