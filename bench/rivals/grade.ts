// Compares the files that an answer names with the right ones.

export const KINDS = ["callers", "defined", "implements", "importers", "touches"] as const;
/** "touches": users, and users of those. */
export type QuestionKind = (typeof KINDS)[number];

export interface Question {
  readonly id: string;
  readonly repository: string;
  readonly kind: QuestionKind;
  /** Of the definition; of the file, for importers. */
  readonly name: string;
  /** The place of its definition. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The right answer, without the file of the definition unless the query asks for it. */
  readonly files: readonly string[];
  /** Neither right nor wrong: the answer depends on the reading of the question. */
  readonly either?: readonly string[];
  /** The difficulty of the question. */
  readonly note?: string;
}

export interface Grade {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** The paths of `known` that a text names, with or without a line after them. */
export function filesNamed(text: string, known: ReadonlySet<string>): readonly string[] {
  const words = text.match(/[\w@./+-]+/g) ?? [];
  const paths = words.map((word) => word.replace(/^\.\//, "").replace(/[.,]+$/, ""));
  return [...new Set(paths)].filter((path) => known.has(path));
}

export function grade(question: Question, named: readonly string[]): Grade {
  const { kind, path, files, either = [] } = question;
  // Every answer names its own target.
  const judged = kind === "defined" ? named : named.filter((file) => file !== path);
  return {
    right: judged.filter((file) => files.includes(file)),
    wrong: judged.filter((file) => !files.includes(file) && !either.includes(file)),
    missed: files.filter((file) => !judged.includes(file)),
  };
}

/** "right", or the missing and the wrong ones: "3 of 4, 2 wrong". */
export function verdict({ right, wrong, missed }: Grade): string {
  if (wrong.length === 0 && missed.length === 0) return "right";
  const found = `${right.length} of ${right.length + missed.length}`;
  return wrong.length === 0 ? found : `${found}, ${wrong.length} wrong`;
}
