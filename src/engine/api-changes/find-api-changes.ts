// Compares the public definitions of two versions of a project, and finds the users of the changed ones.

import { SvcError } from "../../base/errors.ts";
import { Yielder } from "../../base/yielder.ts";
import {
  decodeEntries,
  decodeVersions,
  encodeEntries,
  PackageFacts,
} from "../../graph/packages/package-facts.ts";
import type {
  ApiChange,
  ApiChangesRequest,
  ApiChangesResult,
  ApiUser,
} from "../api/api-changes.ts";
import { pathFilter } from "../files/file-filter.ts";
import { PACKAGES_NOTE } from "../indexing/package-notes.ts";
import type { AcrossNamespaces, AskedNamespaces } from "../multi/across-namespaces.ts";
import type { OpenIndex } from "../open-indexes.ts";
import { UsersAcross, usersWithin } from "./affected-users.ts";
import { ApiVersion, type VersionParts } from "./api-version.ts";
import { diffNames, type NameChange } from "./diff-names.ts";
import { publicNames } from "./public-names.ts";

/** One of the two versions. */
export interface ComparedIndex extends VersionParts {
  readonly index: OpenIndex;
}

export interface ApiChangesContext {
  readonly before: ComparedIndex;
  readonly now: ComparedIndex;
  /** Set if the request names several namespaces. */
  readonly others:
    | { readonly across: AcrossNamespaces; readonly asked: AskedNamespaces }
    | undefined;
}

/** Maximum changes whose users are looked for. */
const MAX_USER_QUERIES = 300;
const MAX_SHOWN_USERS = 20;
const ORDER = ["removed", "renamed", "moved", "signature", "added"] as const;

/** Returns the changes, breaking ones first. Throws TIMEOUT. */
export async function findApiChanges(
  { before: old, now: current, others }: ApiChangesContext,
  request: ApiChangesRequest,
): Promise<Omit<ApiChangesResult, "namespace">> {
  const { since, at = "", limit, signal } = request;
  const [before, now] = [new ApiVersion(old), new ApiVersion(current)];
  const isSame = await sameFiles(before, now);
  await Promise.all([prepare(before, isSame), prepare(now, isSame)]);
  const options = { isSame, signal };
  const names = [await publicNames(before, options), await publicNames(now, options)] as const;
  const all = await diffNames({ before, now, isSame, signal }, ...names);
  const matches = pathFilter(request);
  const wanted = all.filter(
    (one) =>
      matches === undefined ||
      [one.before, one.now].some((each) => each !== undefined && matches(each.path)),
  );
  const ordered = wanted.toSorted(inOrder);
  const shown = ordered.slice(0, limit);
  const across = others && (await openAcross(others, old, request));
  const missing = new Set<string>();
  const changes: ApiChange[] = [];
  const yielder = new Yielder();
  for (const [place, change] of shown.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- yields to other calls
    await yielder.yieldIfDue();
    if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const isWanted = isBreaking(change) && place < MAX_USER_QUERIES;
    // oxlint-disable-next-line no-await-in-loop -- one change after the other
    const users = isWanted ? await usersOf({ before, now, across, signal }, change) : undefined;
    changes.push(describe(change, users));
  }
  for (const sentence of across?.missing ?? []) missing.add(sentence);
  const unsearched = shown.filter(isBreaking).length - MAX_USER_QUERIES;
  if (unsearched > 0)
    missing.add(`The users of ${unsearched} more changes were not searched; give a path.`);
  const count = (is: (one: NameChange) => boolean): number => wanted.filter(is).length;
  return {
    since,
    at,
    changes,
    breaking: count(isBreaking),
    compatible: count((one) => !isBreaking(one) && one.change !== "added"),
    added: count(({ change }) => change === "added"),
    hasMore: wanted.length > shown.length,
    missing: [...missing, ...old.reader.partial, ...current.reader.partial],
  };
}

/** Returns whether a file of one version has the same content in the other. */
async function sameFiles(before: ApiVersion, now: ApiVersion): Promise<(path: string) => boolean> {
  const hashes = new Map<string, string>();
  const same = new Set<string>();
  for (const { path } of await before.files())
    // oxlint-disable-next-line no-await-in-loop -- in memory
    hashes.set(path, (await before.parts.reader.file(path))?.hash ?? "");
  for (const { path } of await now.files()) {
    const hash = hashes.get(path);
    // oxlint-disable-next-line no-await-in-loop -- in memory
    if (hash !== undefined && hash !== "" && hash === (await now.parts.reader.file(path))?.hash)
      same.add(path);
  }
  return (path) => same.has(path);
}

/** Reads what is compared, and what lists the exports of modules. */
async function prepare(version: ApiVersion, isSame: (path: string) => boolean): Promise<void> {
  const wanted = (await version.files()).filter(
    ({ path, language }) => !isSame(path) || EXPORTING.has(language),
  );
  await version.prepare(wanted.map(({ path }) => path));
}

const EXPORTING = new Set(["javascript", "typescript", "tsx", "python"]);

function isBreaking({ change, details }: NameChange): boolean {
  if (change === "added") return false;
  return change !== "signature" || details.some((one) => one.isBreaking);
}

function inOrder(one: NameChange, other: NameChange): number {
  return rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1);
}

function rankOf(change: NameChange): number {
  return (isBreaking(change) ? 0 : ORDER.length) + ORDER.indexOf(change.change);
}

async function openAcross(
  { across, asked }: NonNullable<ApiChangesContext["others"]>,
  { index, reader }: ComparedIndex,
  { since, signal }: ApiChangesRequest,
): Promise<UsersAcross> {
  const note = (await reader.note(PACKAGES_NOTE)) ?? "";
  const prefixes = index.sources.map(({ prefix }) => prefix);
  // The tag is the version of packages whose manifest has none.
  const isTag = /^\D{0,20}\d+\.\d/.test(since);
  const versions = isTag
    ? new Map(prefixes.map((prefix) => [prefix, since]))
    : decodeVersions(note);
  const packages = new PackageFacts(encodeEntries(decodeEntries(note), versions));
  return new UsersAcross(across, asked, { home: index, packages, signal });
}

interface UserContext {
  readonly before: ApiVersion;
  readonly now: ApiVersion;
  readonly across: UsersAcross | undefined;
  readonly signal: AbortSignal;
}

async function usersOf(context: UserContext, change: NameChange): Promise<readonly ApiUser[]> {
  const own = await usersWithin(context, change);
  const others = (await context.across?.usersOf(change)) ?? [];
  return [...exactFirst(own), ...exactFirst(others)];
}

function exactFirst(users: readonly ApiUser[]): readonly ApiUser[] {
  const exact = users.filter(({ certainty }) => certainty === "exact");
  return [...exact, ...users.filter(({ certainty }) => certainty !== "exact")];
}

function describe(change: NameChange, users: readonly ApiUser[] | undefined): ApiChange {
  const { before, now, name, aliases, newName, details, oldSignature, signature, members } = change;
  const place = now ?? before;
  return {
    change: change.change,
    isBreaking: isBreaking(change),
    kind: place?.facts.kind ?? "text",
    name,
    aliases,
    newName,
    path: place?.path ?? "",
    line: place?.facts.nameLine ?? 0,
    oldSignature,
    signature,
    details,
    members,
    users: (users ?? []).slice(0, MAX_SHOWN_USERS),
    userCount: users?.length,
  };
}
