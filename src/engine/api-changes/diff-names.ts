// Compares the public names of two versions.

import { languageFamily } from "../../base/language-families.ts";
import type { ApiDetail } from "../api/api-changes.ts";
import type { ApiVersion, DeclaredSymbol } from "./api-version.ts";
import { compareDeclarations } from "./compare-declarations.ts";
import type { ApiDeclaration } from "./declaration.ts";
import type { PublicDefinition, PublicNames } from "./public-definition.ts";

/** A change before its users are known. */
export interface NameChange {
  readonly change: "removed" | "renamed" | "moved" | "signature" | "added";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly newName: string;
  /** Undefined for what was added. */
  readonly before: PublicDefinition | undefined;
  /** Undefined for what was removed. */
  readonly now: PublicDefinition | undefined;
  readonly details: readonly ApiDetail[];
  readonly oldSignature: string;
  readonly signature: string;
  readonly members: number;
}

export interface ComparedVersions {
  readonly before: ApiVersion;
  readonly now: ApiVersion;
  readonly isSame: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/** A definition with all its names, the most likely one to be used first. */
interface Named {
  readonly names: readonly string[];
  readonly all: readonly PublicDefinition[];
}

/** Returns the changes, in the order of the names. */
export async function diffNames(
  versions: ComparedVersions,
  before: PublicNames,
  now: PublicNames,
): Promise<readonly NameChange[]> {
  return new NameDiff(versions, before, now).changes();
}

class NameDiff {
  readonly #versions: ComparedVersions;
  readonly #before: PublicNames;
  readonly #now: PublicNames;
  /** New names by old name, for definitions that were renamed or moved, with their members. */
  readonly #movedTo = new Map<string, string>();
  readonly #changes: NameChange[] = [];

  constructor(versions: ComparedVersions, before: PublicNames, now: PublicNames) {
    this.#versions = versions;
    this.#before = before;
    this.#now = now;
  }

  async changes(): Promise<readonly NameChange[]> {
    const olds = namedIn(this.#before);
    const news = namedIn(this.#now);
    const gone: Named[] = [];
    for (const old of olds) {
      this.#versions.signal.throwIfAborted();
      const kept = old.names.filter((name) => this.#now.has(name));
      const [name] = kept;
      if (name === undefined) {
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        if (!(await this.#isStillThere(old))) gone.push(old);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- a file is read once
      await this.#compare(name, old, { name, aliases: kept.slice(1) });
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      await this.#lostNames(old, kept);
    }
    const added = news.filter(({ names }) => !names.some((name) => this.#before.has(name)));
    const partners = await this.#partners(gone, added);
    await this.#addGone(gone, partners);
    const taken = new Set(partners.values());
    const arrived = added.filter((one) => !taken.has(one));
    await this.#addArrived(arrived);
    return this.#changes;
  }

  /** Compares the declarations under a name of both versions. */
  async #compare(
    newName: string,
    old: Named,
    { name, aliases }: Pick<NameChange, "name" | "aliases">,
  ): Promise<void> {
    const { before, now, isSame } = this.#versions;
    const all = this.#now.get(newName) ?? [];
    const [one, other] = [old.all[0], all[0]];
    if (one === undefined || other === undefined) return;
    if (one.path === other.path && [...old.all, ...all].every(({ path }) => isSame(path))) return;
    const [olds, news] = [await declarationsOf(before, old.all), await declarationsOf(now, all)];
    const details = [...compareDeclarations(olds, news)];
    if (details.some(({ what }) => what === "bases"))
      details.push(...(await this.#lostMembers(one, other)));
    if (details.length === 0) return;
    const [oldSignature, signature] = differingSignatures(olds, news);
    const shared = { name, aliases, newName: "", before: one, now: other, members: 0 };
    this.#changes.push({ ...shared, change: "signature", details, oldSignature, signature });
  }

  /** Returns the members that the old type inherited and the new one lacks. */
  async #lostMembers(old: PublicDefinition, one: PublicDefinition): Promise<readonly ApiDetail[]> {
    const { before, now } = this.#versions;
    const lost: string[] = [];
    for (const name of await before.inheritedMembers(old)) {
      const isOfEvery = OF_EVERY_OBJECT.has(name) && languageFamily(one.language) === "python";
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      if (!isOfEvery && !(await now.hasMember(one, name))) lost.push(name);
    }
    if (lost.length === 0) return [];
    const facts = { parameter: "", before: lost.join(", "), after: "" };
    return [{ what: "inherited members removed", isBreaking: true, ...facts }];
  }

  /** A definition may keep some of its names and lose others. */
  async #lostNames(old: Named, kept: readonly string[]): Promise<void> {
    const [newName = ""] = kept;
    for (const name of old.names) {
      if (kept.includes(name)) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      if (await hasInherited(this.#versions.now, this.#now, [name])) continue;
      this.#movedTo.set(name, newName);
      // Members go with their type.
      if (this.#isMemberOf(name, this.#movedTo)) continue;
      const [one] = old.all;
      const [other] = this.#now.get(newName) ?? [];
      const shared = { name, aliases: [], newName, before: one, now: other, details: [] };
      const members = countMembers(name, this.#before);
      this.#changes.push({ ...shared, change: "moved", oldSignature: "", signature: "", members });
    }
  }

  async #addGone(gone: readonly Named[], partners: ReadonlyMap<Named, Named>): Promise<void> {
    const removed = new Set(gone.flatMap(({ names }) => names));
    for (const old of gone) {
      const [name = "", ...aliases] = old.names;
      const [one] = old.all;
      const partner = partners.get(old);
      const isMember = old.names.some((each) => isMemberName(each, removed));
      if (partner !== undefined) {
        const [newName = ""] = partner.names;
        // oxlint-disable-next-line no-await-in-loop -- a file is read once
        await this.#addMoved(old, partner, { name, newName, aliases, isMember });
      } else if (!isMember && one !== undefined) {
        // oxlint-disable-next-line no-await-in-loop -- a file is read once
        const [declaration] = await declarationsOf(this.#versions.before, old.all);
        const oldSignature = declaration?.signature ?? "";
        const shared = { name, aliases, newName: "", before: one, now: undefined, details: [] };
        const members = countMembers(name, this.#before);
        this.#changes.push({ ...shared, change: "removed", oldSignature, signature: "", members });
      }
    }
  }

  async #addMoved(
    old: Named,
    partner: Named,
    {
      name,
      newName,
      aliases,
      isMember,
    }: Pick<NameChange, "name" | "newName" | "aliases"> & { readonly isMember: boolean },
  ): Promise<void> {
    if (isMember) return this.#compare(newName, old, { name: newName, aliases: [] });
    const { before, now } = this.#versions;
    const [olds, news] = [
      await declarationsOf(before, old.all),
      await declarationsOf(now, partner.all),
    ];
    const change = lastOf(name) === lastOf(newName) ? "moved" : "renamed";
    const [one, other] = [old.all[0], partner.all[0]];
    const details = compareDeclarations(olds, news);
    const [oldSignature, signature] = differingSignatures(olds, news);
    const members = countMembers(name, this.#before);
    const shared = { name, newName, aliases, before: one, now: other, members };
    this.#changes.push({ ...shared, change, details, oldSignature, signature });
  }

  async #addArrived(arrived: readonly Named[]): Promise<void> {
    const names = new Set(arrived.flatMap((one) => one.names));
    const moved = new Set(this.#movedTo.values());
    for (const one of arrived) {
      const [name = "", ...aliases] = one.names;
      const isMember = one.names.some(
        (each) => isMemberName(each, names) || isMemberName(each, moved),
      );
      if (isMember) continue;
      // oxlint-disable-next-line no-await-in-loop -- a file is read once
      if (await this.#wasInherited(one.names)) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const [declaration] = await declarationsOf(this.#versions.now, one.all);
      this.#changes.push({
        change: "added",
        name,
        aliases,
        newName: "",
        before: undefined,
        now: one.all[0],
        details: [],
        oldSignature: "",
        signature: declaration?.signature ?? "",
        members: countMembers(name, this.#now),
      });
    }
  }

  /**
   * Finds what a definition that is gone has become: the only new one with the same name, or with the same content, or of
   * a type that moved.
   */
  async #partners(
    gone: readonly Named[],
    added: readonly Named[],
  ): Promise<ReadonlyMap<Named, Named>> {
    const { before, now } = this.#versions;
    const partners = new Map<Named, Named>();
    const taken = new Set<Named>();
    const pair = (old: Named, one: Named): void => {
      partners.set(old, one);
      taken.add(one);
      const [newName = ""] = one.names;
      for (const name of old.names) this.#movedTo.set(name, newName);
    };
    const isOuter = ({ all }: Named): boolean =>
      all.some(({ facts }) => facts.name === facts.qualifiedName);
    const match = async (
      keyOf: (version: ApiVersion, one: Named) => Promise<string>,
      isWanted: (one: Named) => boolean,
    ): Promise<void> => {
      const left = gone.filter((old) => !partners.has(old) && isWanted(old));
      const free = added.filter((one) => !taken.has(one) && isWanted(one));
      const byKey = Map.groupBy(await withKeys(free, (one) => keyOf(now, one)), ([key]) => key);
      const olds = Map.groupBy(await withKeys(left, (old) => keyOf(before, old)), ([key]) => key);
      for (const [key, all] of olds) {
        const candidates = byKey.get(key) ?? [];
        const [old, one] = [all[0]?.[1], candidates[0]?.[1]];
        const isSingle = key !== "" && all.length === 1 && candidates.length === 1;
        // oxlint-disable-next-line no-await-in-loop -- a file is read once
        if (isSingle && old && one && (await this.#isProved(old, one))) pair(old, one);
      }
    };
    await match(
      async (_, { names, all }) => `${all[0]?.facts.kind} ${lastOf(names[0] ?? "")}`,
      isOuter,
    );
    await match((version, one) => contentOf(version, one), isOuter);
    // Members of what moved keep their own names.
    const byName = new Map(added.flatMap((one) => one.names.map((name) => [name, one] as const)));
    for (const old of gone) {
      if (partners.has(old)) continue;
      const one = byName.get(this.#translated(old.names[0] ?? ""));
      if (one !== undefined && !taken.has(one)) pair(old, one);
    }
    await match(
      (version, one) => contentOf(version, one),
      (one) => !isOuter(one),
    );
    return partners;
  }

  /** The same name may be another thing: its text, its declaration or most of its members must be the same too. */
  async #isProved(old: Named, one: Named): Promise<boolean> {
    const { before, now } = this.#versions;
    const contents = [await contentOf(before, old), await contentOf(now, one)];
    if (contents[0] !== "" && contents[0] === contents[1]) return true;
    const members = [membersIn(old, this.#before), membersIn(one, this.#now)] as const;
    const common = members[0].filter((name) => members[1].includes(name)).length;
    if (common > 0) return common * 2 >= Math.max(members[0].length, members[1].length);
    const olds = await declarationsOf(before, old.all);
    const news = await declarationsOf(now, one.all);
    const isTelling = olds.some(
      ({ parameters = [], bases }) => parameters.length + bases.length > 0,
    );
    return isTelling && compareDeclarations(olds, news).length === 0;
  }

  #translated(name: string): string {
    for (const outer of outerNames(name)) {
      const to = this.#movedTo.get(outer);
      if (to !== undefined) return to + name.slice(outer.length);
    }
    return "";
  }

  #isMemberOf(name: string, names: ReadonlyMap<string, string>): boolean {
    return outerNames(name).some((outer) => names.has(outer));
  }

  /** Whether a type of the new version has inherited it, or its file still declares what the parser does not see there. */
  async #isStillThere({ names, all }: Named): Promise<boolean> {
    const { now } = this.#versions;
    if (await hasInherited(now, this.#now, names)) return true;
    const [one] = all;
    if (one === undefined) return false;
    const { path, language, facts } = one;
    const family = languageFamily(language);
    if (family === "python") return facts.kind === "method" && OF_EVERY_OBJECT.has(facts.name);
    if (family !== "javascript") return false;
    const [outermost = ""] = facts.qualifiedName.split(".");
    const isSeen = (await now.scope(path))?.byQualifiedName.has(outermost) ?? false;
    return !isSeen && declares(await now.text(path), outermost);
  }

  #wasInherited(names: readonly string[]): Promise<boolean> {
    return hasInherited(this.#versions.before, this.#before, names);
  }
}

/** Methods of Python that a class has without a definition. A data class gets others of them than it defines. */
const OF_EVERY_OBJECT = new Set(
  "__init__ __new__ __repr__ __str__ __eq__ __ne__ __hash__ __setattr__ __delattr__ __format__ __dir__ __sizeof__ __reduce__ __init_subclass__".split(
    " ",
  ),
);

/** The grammar gives up in some files, and the rest of their definitions is missing. */
function declares(text: string, name: string): boolean {
  const quoted = name.replace(/\$/g, "\\$&");
  const words = "(?:declare\\s+|abstract\\s+|async\\s+|default\\s+)*";
  return new RegExp(`^export\\s+${words}\\w+\\*?\\s+${quoted}(?![\\w$])`, "m").test(text);
}

async function hasInherited(
  version: ApiVersion,
  all: PublicNames,
  names: readonly string[],
): Promise<boolean> {
  for (const name of names) {
    const [outer] = outerNames(name);
    const [type] = outer === undefined ? [] : (all.get(outer) ?? []);
    if (type === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- mostly one name
    if (await version.hasMember(type, lastOf(name))) return true;
  }
  return false;
}

async function withKeys(
  all: readonly Named[],
  keyOf: (one: Named) => Promise<string>,
): Promise<readonly (readonly [string, Named])[]> {
  const found: (readonly [string, Named])[] = [];
  // oxlint-disable-next-line no-await-in-loop -- a file is read once
  for (const one of all) found.push([await keyOf(one), one]);
  return found;
}

/** Short definitions are alike by chance. */
const MIN_CONTENT_LINES = 3;

async function contentOf(version: ApiVersion, { all }: Named): Promise<string> {
  const [one] = all;
  if (one === undefined || all.length > 1) return "";
  if (one.facts.endLine - one.facts.nameLine + 1 < MIN_CONTENT_LINES) return "";
  return (await version.declared(one.path, one.facts))?.content ?? "";
}

/** The definitions with their names. Those under one name, such as overloads, belong together. */
function namedIn(names: PublicNames): readonly Named[] {
  const byPlace = new Map<string, { names: string[]; all: readonly PublicDefinition[] }>();
  for (const [name, all] of names) {
    const key = all
      .map(({ path, facts }) => `${path}:${facts.nameLine}:${facts.qualifiedName}`)
      .join(" ");
    const known = byPlace.get(key);
    if (known === undefined) byPlace.set(key, { names: [name], all });
    else known.names.push(name);
  }
  return [...byPlace.values()].map((one) => ({
    ...one,
    names: one.names.toSorted((a, b) => partsOf(a) - partsOf(b) || a.length - b.length),
  }));
}

function partsOf(name: string): number {
  return name.split(/[./]|::/).length;
}

/** `c` of `a.b.c` and `a::b::c`. */
function lastOf(name: string): string {
  return name.split(/[.#]|::/).at(-1) ?? name;
}

/** `a.b` and `a` for `a.b.c`. */
function outerNames(name: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of name.matchAll(/[.#]|::/g)) found.unshift(name.slice(0, index));
  return found;
}

function isMemberName(name: string, names: ReadonlySet<string>): boolean {
  return outerNames(name).some((outer) => names.has(outer));
}

function membersIn({ names }: Named, all: PublicNames): readonly string[] {
  const prefix = names[0] ?? "";
  const inner = [...all.keys()].filter((name) => isMemberName(name, new Set([prefix])));
  return inner.map((name) => name.slice(prefix.length));
}

function countMembers(name: string, names: PublicNames): number {
  let count = 0;
  for (const one of names.keys())
    if (one.startsWith(name) && /^(?:\.|::)/.test(one.slice(name.length))) count += 1;
  return count;
}

async function declarationsOf(
  version: ApiVersion,
  all: readonly PublicDefinition[],
): Promise<readonly ApiDeclaration[]> {
  const found: ApiDeclaration[] = [];
  for (const { path, facts } of all) {
    // oxlint-disable-next-line no-await-in-loop -- a file is read once
    const declared: DeclaredSymbol | undefined = await version.declared(path, facts);
    found.push(...(declared?.declarations ?? []));
  }
  // A function and its declaration, or the same function for another platform.
  const distinct = new Map(found.map((one) => [one.signature, one]));
  return [...distinct.values()];
}

/** The first declarations that differ, to show them. */
function differingSignatures(
  olds: readonly ApiDeclaration[],
  news: readonly ApiDeclaration[],
): readonly [string, string] {
  const [before, now] = [olds.map((one) => one.signature), news.map((one) => one.signature)];
  const old = before.find((one) => !now.includes(one)) ?? before[0] ?? "";
  const one = now.find((each) => !before.includes(each)) ?? now[0] ?? "";
  return [old, one];
}
