import { FileFlag, type FileFacts } from "../index/types.ts";
import { settingIntentFor, type QueryFacts } from "./features.ts";
import { MIN_CODE_SHARE, PRIOR } from "./weights.ts";

/** Returns the factor, by role of the file, for its first score, before the best files are reranked. */
export function rolePrior(file: FileFacts, { query, docsShare }: QueryFacts): number {
  const { requestedRoles, paths } = query;
  const settings = settingIntentFor(file, query);
  let factor = 1;
  if (file.role === "tests" && !requestedRoles.tests) factor *= PRIOR.tests;
  if (file.role === "docs" && !requestedRoles.docs && docsShare < 1 - MIN_CODE_SHARE) {
    factor *= PRIOR.docsAmongCode ** (1 - query.intent);
  }
  if (file.role === "config" && !requestedRoles.config) factor *= PRIOR.config ** (1 - settings);
  if ((file.flags & FileFlag.example) !== 0 && !requestedRoles.examples) {
    factor *= PRIOR.example ** (1 - settings);
  }
  if ((file.flags & FileFlag.vendored) !== 0) factor *= PRIOR.vendored;
  if ((file.flags & FileFlag.generated) !== 0) factor *= PRIOR.generated;
  if (file.path.endsWith(".d.ts")) factor *= PRIOR.declarations;
  if (paths.some((path) => file.path === path || file.path.endsWith(`/${path}`))) {
    factor *= PRIOR.pathNamed;
  }
  return factor;
}
