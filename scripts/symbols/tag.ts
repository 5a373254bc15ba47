/** A definition that another program finds. */
export interface Tag {
  /** Relative to the tree. */
  readonly path: string;
  readonly name: string;
  /** The kind in the program's terms: "func", "member", "definition.method". */
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
  /** Kind and name of its container, if the program reports it. */
  readonly scopeKind?: string;
  readonly scope?: string;
}
