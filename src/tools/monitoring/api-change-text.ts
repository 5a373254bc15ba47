// Changes of the public definitions of a project, as people and models read them.

import type {
  ApiChange,
  ApiChangesResult,
  ApiDetail,
  ApiUser,
} from "../../engine/api/api-changes.ts";

/** Users that are shown of one change. */
const SHOWN_USERS = 5;

const SHOWN_SIGNATURE_CHARS = 160;

const TITLES = { breaking: "Breaking", compatible: "Compatible", added: "Added" } as const;

/** A group of changes under one title. */
export interface ApiGroup {
  readonly title: string;
  readonly changes: readonly ApiChange[];
}

/** Returns the groups that are not empty, breaking changes first. */
export function apiGroups({ changes }: Pick<ApiChangesResult, "changes">): readonly ApiGroup[] {
  const groups = Map.groupBy(changes, ({ isBreaking, change }) => {
    if (isBreaking) return TITLES.breaking;
    return change === "added" ? TITLES.added : TITLES.compatible;
  });
  return [...groups].map(([title, all]) => ({ title, changes: all }));
}

/** "signature  click.Option.get_help  src/click/core.py:12", with the lines below it. */
export function apiChangeLines(change: ApiChange): readonly string[] {
  const { name, newName, aliases, path, line, members, kind } = change;
  const renamed = newName === "" ? name : `${name} -> ${newName}`;
  const also = aliases.length === 0 ? "" : ` (${aliases.join(", ")})`;
  const inside = members === 0 ? "" : `, ${members} member${members === 1 ? "" : "s"}`;
  const head = `${change.change.padEnd(9)}  ${kind} ${renamed}${also}${inside}  ${path}:${line}`;
  return [head, ...signatureLines(change), ...change.details.map(detailLine), ...userLines(change)];
}

function signatureLines({
  change,
  oldSignature,
  signature,
  details,
}: ApiChange): readonly string[] {
  if (change === "added" || change === "removed" || details.length === 0) return [];
  if (oldSignature === signature) return [];
  return [`  - ${clipped(oldSignature)}`, `  + ${clipped(signature)}`];
}

/** The details below a long signature say what is different. */
function clipped(signature: string): string {
  return signature.length <= SHOWN_SIGNATURE_CHARS
    ? signature
    : `${signature.slice(0, SHOWN_SIGNATURE_CHARS - 1)}…`;
}

function detailLine({ what, parameter, before, after }: ApiDetail): string {
  const subject = parameter === "" ? "" : ` ${parameter}`;
  const isModifier = what === "made" || what === "no longer";
  if (isModifier) return `  ${what} ${after}`;
  const values = [before, after].map((one) => (one === "" ? "none" : one));
  const change = before === "" && after === "" ? "" : `: ${values.join(" -> ")}`;
  if (what === "overload removed" || what === "overload added")
    return `  ${what}: ${clipped(before + after)}`;
  return `  ${what}${subject}${change}`;
}

function userLines({ users, userCount }: ApiChange): readonly string[] {
  if (userCount === undefined || userCount === 0) return [];
  const rest = userCount - Math.min(users.length, SHOWN_USERS);
  return [
    ...users.slice(0, SHOWN_USERS).map((one) => `  used by ${userText(one)}`),
    ...(rest === 0 ? [] : [`  used by ${rest} more`]),
  ];
}

/** "shop/src/a.ts:12 in open, exact, locked to 1.2.3" */
function userText({
  namespace,
  path,
  line,
  symbol,
  certainty,
  version,
  isLocked = false,
}: ApiUser): string {
  const place = `${path}:${line}${namespace === undefined ? "" : ` [${namespace}]`}`;
  const around = symbol === "" ? "" : ` in ${symbol}`;
  const how = certainty === "exact" ? ", exact" : ", by name";
  const pinned =
    version === undefined || version === ""
      ? ""
      : `, ${isLocked ? "locked to" : "allows"} ${version}`;
  return `${place}${around}${how}${pinned}`;
}

/** "v1..v2: 3 breaking changes, 2 compatible, 12 added" */
export function apiHeadline({ since, at, breaking, compatible, added }: ApiChangesResult): string {
  const range = at === "" ? `${since} and the current files` : `${since}..${at}`;
  if (breaking + compatible + added === 0) return `${range}: no public definition differs.`;
  const first = `${breaking} breaking change${breaking === 1 ? "" : "s"}`;
  return `${range}: ${first}, ${compatible} compatible, ${added} added`;
}

/** Returns what is to say besides the changes, a sentence each. */
export function apiNotes({ hasMore, missing }: ApiChangesResult): readonly string[] {
  return [
    ...(hasMore ? ["There are more: raise the limit, or narrow them with a path."] : []),
    ...missing,
  ];
}

/** The headline, the changes in their groups, then the notes. */
export function apiChangesText(result: ApiChangesResult): string {
  const groups = apiGroups(result).flatMap(({ title, changes }) => [
    title,
    ...changes.flatMap(apiChangeLines).map((line) => `  ${line}`),
  ]);
  return [apiHeadline(result), ...groups, ...apiNotes(result)].join("\n");
}
