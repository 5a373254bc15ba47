/** Lines of a file. */
export interface RightAnswer {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  /** Part of one line of the file, which an answer must contain; without it any part of the file is right. */
  readonly line?: string;
}

export interface GoldenQuestion {
  readonly ask: string;
  /** The right answers: any of these. Empty if the tree has none. */
  readonly right: readonly RightAnswer[];
}

/** Files that are the same in every checkout, with the queries about them. */
export interface GoldenTree {
  /** Name of the folder, which a query may contain. */
  readonly name: string;
  /** Folders and files below node_modules. A single package is copied unchanged; several packages each get a folder. */
  readonly parts: readonly string[];
  /** Paths relative to the package that are excluded: built files, which cost time. */
  readonly without: RegExp;
  readonly questions: readonly GoldenQuestion[];
}
