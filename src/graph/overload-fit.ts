// How well values fit parameters.

/** Whether a value can be passed: "wide" after conversion of a primitive type to an object, or back. */
export type Fit = "yes" | "wide" | "maybe" | "no";

/** A function that is passed as a value. */
export interface FunctionValue {
  /** -1 if it is a name that refers to a function. */
  readonly parameters: number;
  /** "r" if it must return a value, "v" if it returns none, "" if it may do both. */
  readonly returns: string;
}
