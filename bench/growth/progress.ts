// The progress of another process with the index of a tree, read from the index: a query to svc would take some of the
// measured time.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import type { FileStage } from "../../src/index/types.ts";
import { sourcesOf } from "./tree.ts";
import { authorized } from "../../test/helpers/authorized.ts";

/** True when searches by words find every file. */
export async function hasWords(dataDirectory: string, root: string): Promise<boolean> {
  const stages = await stagesOf(dataDirectory, root);
  return stages !== undefined && stages.listed === 0 && stages.words + stages.complete > 0;
}

export async function isComplete(dataDirectory: string, root: string): Promise<boolean> {
  const stages = await stagesOf(dataDirectory, root);
  return stages !== undefined && stages.listed + stages.words === 0 && stages.complete > 0;
}

/** Files by progress; undefined while there is no index. */
async function stagesOf(
  dataDirectory: string,
  root: string,
): Promise<Readonly<Record<FileStage, number>> | undefined> {
  if (!existsSync(join(dataDirectory, "namespaces"))) return undefined;
  const { namespace } = await sourcesOf(dataDirectory, root);
  const backend = new EmbeddedBackend(dataDirectory);
  try {
    return (await (await backend.reader(authorized(namespace)))?.summary())?.stages;
  } finally {
    backend.close();
  }
}
