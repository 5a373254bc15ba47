// The names in a selector. A rule is about the last part of each of its selectors: `.nav .link` is a rule of `.link` that mentions
// `.nav`.

/** A name in a selector. */
export interface SelectorName {
  /** `.btn`, `#app`, `%card`. */
  readonly name: string;
  /** Offset in the text. */
  readonly at: number;
  /** Whether the rule is about what has this name. */
  readonly isSubject: boolean;
  /** Whether it is in `:global()`, `:deep()` or the like, which reach beyond the component. */
  readonly isGlobal: boolean;
}

/** The names of a selector, and what `&` stands for inside of its block. */
export interface SelectorNames {
  readonly names: readonly SelectorName[];
  /** The last names of its parts. */
  readonly parents: readonly string[];
}

/** Maximum names that `&` stands for. */
const MAX_PARENTS = 12;
/** Maximum characters of a name. */
const MAX_NAME = 100;

const TOKEN =
  /(?<quoted>"[^"\n]*"|'[^'\n]*')|(?<attribute>\[[^[\]\n]*\])|(?<code>[#@]\{[^{}\n]*\})|(?<suffix>&[\w-]+(?![\w-]|[#@]\{))|(?<self>&)|(?<name>[.#%]-?[\p{L}_][\p{L}\p{N}_-]*(?![\p{L}\p{N}_-]|[#@]\{|\\))|(?<pseudo>::?[\w-]+)?(?<open>\()|(?<close>\))|(?<deep>::v-deep|::ng-deep|:global(?![\w-])|>>>|\/deep\/)|(?<comma>\s*,\s*)|(?<space>\s*[>+~\s]\s*)|::?[\w-]+|\\.|[\w-]+/gu;
const MENTIONS = /^:(?:not|has|host-context|host)$/;
const GLOBAL = /^::?(?:global|deep|v-deep|slotted|v-slotted|v-global)$/;

/** Returns the names in a selector. `outer`: what `&` stands for. */
export function selectorNames(text: string, outer: readonly string[]): SelectorNames {
  const reading = new SelectorReading(outer);
  for (const match of text.matchAll(TOKEN)) reading.take(match.groups ?? {}, match.index);
  return reading.finish();
}

class SelectorReading {
  readonly #outer: readonly string[];
  readonly #names: SelectorName[] = [];
  readonly #parents = new Set<string>();
  /** The names of the part that may be the last one of the selector. */
  #last: { readonly name: string; readonly at: number; readonly isGlobal: boolean }[] = [];
  /** The last name of that part. */
  #final: readonly string[] = [];
  /** What the brackets around are: "mention" or "global", or "" for others. */
  readonly #around: string[] = [];
  #isGlobal = false;

  constructor(outer: readonly string[]) {
    this.#outer = outer;
  }

  take(groups: Record<string, string | undefined>, at: number): void {
    const { suffix, self, name, pseudo = "", open, close, comma, space, deep } = groups;
    if (name !== undefined) this.#addName(name, at);
    else if (suffix !== undefined) this.#addSuffix(suffix, at);
    else if (open !== undefined) this.#open(pseudo);
    else if (close !== undefined) this.#around.pop();
    else if (this.#around.length > 0) return;
    else if (self !== undefined) this.#final = this.#outer;
    else if (deep !== undefined) this.#startPart(true);
    else if (comma !== undefined) this.#startSelector();
    else if (space !== undefined) this.#startPart(this.#isGlobal);
  }

  finish(): SelectorNames {
    this.#startSelector();
    const names = this.#names.toSorted((one, other) => one.at - other.at);
    return { names, parents: [...this.#parents].slice(0, MAX_PARENTS) };
  }

  #open(pseudo: string): void {
    const kind = MENTIONS.test(pseudo) ? "mention" : "";
    this.#around.push(GLOBAL.test(pseudo) ? "global" : kind);
  }

  #addName(name: string, at: number): void {
    if (name.length > MAX_NAME) return;
    const isGlobal = this.#isGlobal || this.#around.includes("global");
    if (this.#around.includes("mention")) this.#mention({ name, at, isGlobal });
    else {
      this.#last.push({ name, at, isGlobal });
      if (this.#around.length === 0) this.#final = [name];
    }
  }

  #addSuffix(suffix: string, at: number): void {
    const rest = suffix.slice(1);
    const all = this.#outer
      .filter((parent) => parent.length + rest.length <= MAX_NAME)
      .map((parent) => parent + rest);
    for (const name of all) this.#last.push({ name, at, isGlobal: false });
    this.#final = all;
  }

  #mention({ name, at, isGlobal }: Omit<SelectorName, "isSubject">): void {
    this.#names.push({ name, at, isGlobal, isSubject: false });
  }

  /** A space follows: what came before is mentioned, if another part follows. */
  #startPart(isGlobal: boolean): void {
    this.#isGlobal = isGlobal;
    this.#pending.push(...this.#last);
    this.#last = [];
    this.#final = [];
  }

  readonly #pending: { readonly name: string; readonly at: number; readonly isGlobal: boolean }[] =
    [];

  #startSelector(): void {
    for (const one of this.#pending) this.#mention(one);
    this.#pending.length = 0;
    for (const one of this.#last) this.#names.push({ ...one, isSubject: true });
    for (const one of this.#final) this.#parents.add(one);
    this.#last = [];
    this.#final = [];
    this.#isGlobal = false;
  }
}
