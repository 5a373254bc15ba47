// Variables that a template of Angular declares: loops, references and aliases.

/** Variables of one template. They count in all of it, because few templates declare a name twice. */
export class AngularScope {
  /** What is before `[]` in the path of a loop's variable. */
  readonly #lists = new Map<string, string>();
  readonly #others = new Set<string>();

  constructor(text: string) {
    for (const [, name = "", list = ""] of text.matchAll(
      /(?:\blet\s+|@for\s*\(\s*)([A-Za-z_]\w*)\s+of\s+([A-Za-z_][\w.]*(?:\(\))?)/g,
    )) {
      this.#lists.set(name, list);
    }
    for (const [, name = ""] of text.matchAll(/(?:\blet[-\s]|\bas\s|\s#)\s*([A-Za-z_]\w*)/g)) {
      if (!this.#lists.has(name)) this.#others.add(name);
    }
  }

  /** Whether the template declares a name itself. */
  has(name: string): boolean {
    return this.#lists.has(name) || this.#others.has(name);
  }

  /** Returns a path from the component, `heroes[].owner`, for one that begins with a variable; "" if it is unknown. */
  pathFromComponent(path: string): string {
    let found = path;
    for (let steps = 0; steps <= this.#lists.size && steps < MAX_STEPS; steps += 1) {
      const [first = ""] = /^\w+/.exec(found) ?? [];
      if (this.#others.has(first)) return "";
      const list = this.#lists.get(first);
      if (list === undefined) return found;
      found = `${list}[]${found.slice(first.length)}`;
    }
    return "";
  }
}

/** Loops within loops. */
const MAX_STEPS = 8;
