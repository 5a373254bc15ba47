export type FindingState = "ok" | "warning" | "failed";

/** One line of the report. */
export interface Finding {
  /** Name of the check. `namespace` is set when the check covers one namespace. */
  readonly check: string;
  readonly namespace?: string;
  readonly state: FindingState;
  readonly what: string;
  /** The fix, with the command to run; absent for `ok`. */
  readonly mend?: string;
}

/** Creates the findings of one check. */
export interface Reporter {
  readonly ok: (what: string) => Finding;
  readonly warning: (what: string, fix: string) => Finding;
  readonly failed: (what: string, fix: string) => Finding;
}

export function createReporter(check: string, namespace?: string): Reporter {
  const about = { check, ...(namespace === undefined ? {} : { namespace }) };
  return {
    ok: (what) => ({ ...about, state: "ok", what }),
    warning: (what, mend) => ({ ...about, state: "warning", what, mend }),
    failed: (what, mend) => ({ ...about, state: "failed", what, mend }),
  };
}

/** The first `max` names, and the number of the others. */
export function firstFew(names: readonly string[], max = 3): string {
  const more = names.length - max;
  return `${names.slice(0, max).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
