import { SvcError } from "../../base/errors.ts";
import { isBareRepository } from "../../sources/bare-repository.ts";
import { requireFolder } from "../../sources/confined-path.ts";
import {
  localRepository,
  looksLikeUrl,
  parseRepositoryUrl,
  type RepositoryUrl,
} from "../../sources/git-url.ts";
import type { IndexRequest } from "../api/index-source.ts";

/** The source of a request to index: a folder, or a repository that must be fetched first. */
export type RequestedSource =
  | { readonly root: string; readonly repository?: undefined }
  | { readonly repository: RepositoryUrl };

/** Parses the name of a source. `ref` is only for repositories. Throws INVALID_PARAMS and PATH_NOT_FOUND. */
export function parseRequestedSource(
  source: string,
  ref: string | undefined,
  folderOf: (path: string) => string = requireFolder,
): RequestedSource {
  if (looksLikeUrl(source)) return { repository: parseRepositoryUrl(source, ref) };
  const root = folderOf(source);
  if (isBareRepository(root)) return { repository: localRepository(root, ref) };
  if (ref === undefined) return { root };
  throw new SvcError("INVALID_PARAMS", "A folder has no ref; its current files are indexed.", {
    hint: `To index another version, give it as a repository: file://${root}#${ref}.`,
  });
}

/** Throws FORBIDDEN for a caller that must not make svc connect to other machines with its owner's credentials. */
export function requireFetchAllowed(
  { principal }: Pick<IndexRequest, "principal">,
  server: { readonly canFetch: boolean },
): void {
  if (!server.canFetch) {
    throw new SvcError("FORBIDDEN", "This server does not fetch repositories.", {
      hint: "Its owner can, on its machine: `svc index URL --namespace NS`.",
    });
  }
  if (principal.isUnrestricted) return;
  throw new SvcError("FORBIDDEN", "A token for some namespaces cannot fetch repositories.", {
    hint: "The owner of this machine can: `svc index URL --namespace NS`.",
  });
}
