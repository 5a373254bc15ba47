/** Lines of a file. */
export interface RightAnswer {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  /** Stands in one line of the file, which an answer must hold; without it any part of the file will do. */
  readonly line?: string;
}

export interface GoldenQuestion {
  readonly ask: string;
  /** What answers it: any of these does. Empty where nothing in the tree does. */
  readonly right: readonly RightAnswer[];
}

/** Files that are the same in every checkout, with what is asked of them. */
export interface GoldenTree {
  /** What the folder is called: a question may name it. */
  readonly name: string;
  /** Folders and files below node_modules. A single package is laid out as it is, several each in a folder. */
  readonly parts: readonly string[];
  /** Paths from the package on that are left out: what is built from other files, and costs time. */
  readonly without: RegExp;
  readonly questions: readonly GoldenQuestion[];
}
