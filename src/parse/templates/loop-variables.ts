// Variables that a template of Angular or Razor declares: of loops, with the list that they are elements of, and others.

/** Loops within loops. */
const MAX_STEPS = 8;
/** What a loop goes through. */
const LIST = String.raw`([A-Za-z_][\w.]{0,60}(?![\w.])(?:\(\))?)`;

interface Patterns {
  /** The variable of a loop, and its list. */
  readonly loops: RegExp;
  readonly others: RegExp;
}

export const ANGULAR_VARIABLES: Patterns = {
  loops: new RegExp(String.raw`(?:\blet\s+|@for\s*\(\s*)([A-Za-z_]\w*)\s+of\s+${LIST}`, "g"),
  others: /(?:\blet[-\s]|\bas\s|\s#)\s*([A-Za-z_]\w*)/g,
};
export const RAZOR_VARIABLES: Patterns = {
  loops: new RegExp(String.raw`\bforeach\s*\(\s*[\w<>.?]+\s+(\w+)\s+in\s+${LIST}\s*\)`, "g"),
  others: /\b(?:foreach\s*\(\s*[\w<>.?]+|var)\s+(\w+)/g,
};

/** Variables of one template. They count in all of it, because few templates declare a name twice. */
export class LoopVariables {
  /** What is before `[]` in the path of a loop's variable. */
  readonly #lists = new Map<string, string>();
  readonly #others = new Set<string>();

  constructor(text: string, { loops, others }: Patterns) {
    for (const [, name = "", list = ""] of text.matchAll(loops)) this.#lists.set(name, list);
    for (const [, name = ""] of text.matchAll(others)) {
      if (!this.#lists.has(name)) this.#others.add(name);
    }
  }

  /** Whether the template declares a name itself. */
  has(name: string): boolean {
    return this.#lists.has(name) || this.#others.has(name);
  }

  /** Returns a path without variables, `heroes[].owner`, for one that begins with a variable; "" if it is unknown. */
  pathOf(path: string): string {
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
