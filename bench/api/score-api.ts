// Compares the API changes that svc reports between two versions with those that the interpreter or compiler sees.

/** A public name with its kind. */
export interface TruthName {
  readonly kind: string;
  /** Name, kind and optionality of each parameter; null if the name cannot be called. */
  readonly parameters: readonly (readonly unknown[])[] | null;
  /** The same, with the written types resolved. */
  readonly resolved?: readonly (readonly unknown[])[] | null;
  /** The definition: equal for all names of one definition. */
  readonly of: string;
  /** True if its own type defines it. */
  readonly own: boolean;
}

export type TruthNames = Readonly<Record<string, TruthName>>;

/** A change in the form of `svc changes --api --json`. */
export interface ReportedChange {
  readonly change: "removed" | "renamed" | "moved" | "signature" | "added";
  readonly kind: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly new_name?: string;
  readonly details?: readonly { readonly what: string; readonly before?: string }[];
}

interface Counted {
  readonly reported: number;
  readonly right: number;
  readonly expected: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

export interface ApiScore {
  readonly removed: Counted;
  readonly changed: Counted;
  readonly added: Counted;
  /**
   * The number of changed definitions, including those that name another changed type, and how many of them svc
   * reports.
   */
  readonly resolved: { readonly expected: number; readonly right: number };
  /** Reported changes that the truth cannot see, such as attributes of objects. */
  readonly unjudged: number;
}

/** Differences of a declaration that the truth confirms. */
const JUDGED: Readonly<Record<string, RegExp>> = {
  python: /^(?:parameter(?!s? type)|optional parameter|parameters reordered|kind)/,
  typescript:
    /^(?:parameter|optional parameter|overload|kind|made (?:optional|required)|type$|type parameters|result type)/,
};

export function scoreApi(
  { before, now }: { readonly before: TruthNames; readonly now: TruthNames },
  reported: readonly ReportedChange[],
  { language }: { readonly language: string },
): ApiScore {
  const isGone = (name: string): boolean => name in before && !(name in now);
  const isNew = (name: string): boolean => name in now && !(name in before);
  const gone = definitionsOf(outermost(Object.keys(before).filter(isGone)), before);
  // An inherited member counts as new in the type that defines it.
  const known = new Set(Object.values(before).map(({ of }) => of));
  const isArrived = (name: string): boolean =>
    isNew(name) && now[name]?.own === true && !known.has(now[name].of);
  const arrived = definitionsOf(outermost(Object.keys(now).filter(isArrived)), now);
  const changed = Object.keys(before).filter((name) => isChanged(before[name], now[name]));
  let unjudged = 0;
  const namesOf = ({ name, aliases = [] }: ReportedChange): readonly string[] => [name, ...aliases];
  const isJudged = (one: ReportedChange, where: TruthNames): boolean => {
    if (namesOf(one).some((name) => name in where)) return true;
    const isAttribute = one.kind === "field" || one.kind === "constant";
    if (isAttribute) unjudged += 1;
    return !isAttribute;
  };
  const reportedGone = reported
    .filter((one) => ["removed", "renamed", "moved"].includes(one.change) && isJudged(one, before))
    .flatMap(namesOf);
  // A type that no longer inherits reports the members that it lost.
  const lost = reported.flatMap((one) =>
    (one.details ?? [])
      .filter(({ what }) => what === "inherited members removed")
      .flatMap(({ before: names = "" }) =>
        names.split(", ").flatMap((member) => namesOf(one).map((name) => `${name}.${member}`)),
      ),
  );
  reportedGone.push(...lost.filter((name) => name in before));
  const reportedNew = reported
    .filter((one) => one.change === "added" && isJudged(one, now))
    .flatMap(namesOf);
  const renamed = reported.flatMap(({ new_name: name, change }) =>
    name === undefined || change === "signature" ? [] : [name],
  );
  const reportedChanged = reported
    .filter(
      ({ change, details = [] }) =>
        change === "signature" && details.some(({ what }) => JUDGED[language]?.test(what) === true),
    )
    .filter((one) => isJudged(one, before) && isJudged(one, now));
  const definitions = Map.groupBy(changed, (name) => before[name]?.of ?? name);
  const resolved = Object.keys(before).filter(
    (name) => changed.includes(name) || isChangedInside(before[name], now[name]),
  );
  const throughTypes = [...Map.groupBy(resolved, (name) => before[name]?.of ?? name).values()];
  const isFound = (names: readonly string[]): boolean =>
    reportedChanged.some((one) => namesOf(one).some((name) => names.includes(name)));
  const isReported = (name: string): boolean =>
    [...reportedNew, ...renamed].some((one) => covers(one, name));
  const changedNames = new Set(changed);
  const rightChanges = reportedChanged.filter((one) =>
    namesOf(one).some((name) => changedNames.has(name)),
  );
  return {
    removed: count(reportedGone, gone, isGone, (name) =>
      reportedGone.some((one) => covers(one, name)),
    ),
    changed: {
      reported: reportedChanged.length,
      right: rightChanges.length,
      expected: definitions.size,
      wrong: reportedChanged
        .filter((one) => !rightChanges.includes(one))
        .map((one) => `${one.name}: ${(one.details ?? []).map(({ what }) => what).join(", ")}`),
      missed: [...definitions]
        .filter(([, names]) => !isFound(names))
        .map(([, names]) => names[0] ?? ""),
    },
    resolved: {
      expected: throughTypes.length,
      right: throughTypes.filter((names) => isFound(names)).length,
    },
    added: count(reportedNew, arrived, (name) => isNew(name), isReported),
    unjudged,
  };
}

function count(
  reported: readonly string[],
  expected: readonly (readonly string[])[],
  isRight: (name: string) => boolean,
  isReported: (name: string) => boolean,
): Counted {
  const wrong = reported.filter((name) => !isRight(name));
  const missed = expected.filter((names) => !names.some(isReported)).map(([name = ""]) => name);
  return {
    reported: reported.length,
    right: reported.length - wrong.length,
    expected: expected.length,
    wrong,
    missed,
  };
}

/** A type stands for its members. */
function covers(outer: string, name: string): boolean {
  return name === outer || name.startsWith(`${outer}.`);
}

/** The names of each definition: a type shares a member with the types that inherit it. */
function definitionsOf(
  names: readonly string[],
  where: TruthNames,
): readonly (readonly string[])[] {
  return [...Map.groupBy(names, (name) => where[name]?.of ?? name).values()];
}

function outermost(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  return names.filter((name) => {
    for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1))
      if (all.has(name.slice(0, at))) return false;
    return true;
  });
}

function isChanged(before: TruthName | undefined, now: TruthName | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  if (before.kind !== now.kind) return true;
  return JSON.stringify(before.parameters) !== JSON.stringify(now.parameters);
}

function isChangedInside(before: TruthName | undefined, now: TruthName | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  return JSON.stringify(before.resolved) !== JSON.stringify(now.resolved);
}
