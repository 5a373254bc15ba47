// Opens the two versions of a request about changes of the public definitions.

import { SvcError } from "../../base/errors.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { IndexBackend } from "../../index/port.ts";
import { repositoryAbove, repositoryProblem } from "../../sources/git.ts";
import { namespaceListOf } from "../../sources/namespace-list.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { ApiChangesRequest, ApiChangesResult } from "../api/api-changes.ts";
import type { Cacheable } from "../api/request.ts";
import type { AcrossNamespaces } from "../multi/across-namespaces.ts";
import type { OpenIndex, OpenIndexes } from "../open-indexes.ts";
import { withRevision } from "../revisions/open-revision.ts";
import type { VersionParts } from "./api-version.ts";
import { findApiChanges, type ApiChangesContext, type ComparedIndex } from "./find-api-changes.ts";

interface CompareParts {
  readonly index: IndexBackend;
  readonly embeddings: EmbeddingSource;
  readonly indexes: Pick<OpenIndexes, "use">;
  readonly across: () => Promise<AcrossNamespaces>;
  /** Its texts must be masked. */
  readonly textsOf: (index: OpenIndex) => TextReader;
  readonly graphOf: (index: OpenIndex) => Promise<ReferenceGraph>;
  readonly configOf: (index: OpenIndex) => Promise<VersionParts["readFile"]>;
}

/** Throws INVALID_PARAMS for a version that no repository has, and what `OpenIndexes.use` throws. */
export async function compareRevisions(
  parts: CompareParts,
  request: ApiChangesRequest,
): Promise<Cacheable<ApiChangesResult>> {
  const { since, at } = request;
  const others = await othersOf(parts, request);
  const [first] = others?.asked.names ?? [];
  const compared = async (index: OpenIndex): Promise<ComparedIndex> => ({
    index,
    reader: index.reader,
    texts: parts.textsOf(index),
    graph: await parts.graphOf(index),
    readFile: await parts.configOf(index),
  });
  const how = { readiness: "words", isKeptFresh: true } as const;
  const namespace = first ?? request.namespace;
  return parts.indexes.use({ ...request, namespace }, how, (index) => {
    requireRepository(index);
    return withRevision(parts, index, { ...request, at: since }, async (old) => {
      const run = async (now: OpenIndex): Promise<Cacheable<ApiChangesResult>> => {
        const versions = { before: await compared(old), now: await compared(now) };
        const result = await findApiChanges({ ...versions, others }, request);
        // Names of commits move.
        const name = others?.asked.text ?? index.namespace;
        return { namespace: name, ...result, isCacheable: false };
      };
      return at === undefined ? run(index) : withRevision(parts, index, { ...request, at }, run);
    });
  });
}

/** Throws INVALID_PARAMS for a project without commits. */
function requireRepository({ namespace, sources }: OpenIndex): void {
  const hasNone = sources.every(
    (source) => repositoryAbove(source) === undefined && repositoryProblem(source) === undefined,
  );
  if (!hasNone) return;
  throw new SvcError("INVALID_PARAMS", `${namespace} is not in a git repository.`, {
    hint: "svc compares versions in git only: name the namespace of a repository first.",
  });
}

/** The first namespace is the project whose versions are compared. */
async function othersOf(
  parts: CompareParts,
  request: ApiChangesRequest,
): Promise<ApiChangesContext["others"]> {
  const list = namespaceListOf(request.namespace);
  if (list === undefined) return undefined;
  const across = await parts.across();
  if (list === "all" && (await across.parts.namespaces.ofWorkspace()) === undefined) {
    throw new SvcError("INVALID_PARAMS", "There is no project whose versions can be compared.", {
      hint: "Run it in a project, or name its namespace first: --namespace gin,shop.",
    });
  }
  return { across, asked: await across.asked(list, request) };
}
