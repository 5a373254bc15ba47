/** Something that a page names and a commit removed from the code. */
export interface OutdatedName {
  /** 1-based line of the page. */
  readonly line: number;
  /** The name, flag or path that is gone. */
  readonly name: string;
  /** What is there instead; "" if that is not known. */
  readonly became: string;
  /** Full id of the commit that removed it. */
  readonly commit: string;
  /** ISO 8601, in UTC; "" if the commit has no valid date. */
  readonly authoredAt: string;
}
