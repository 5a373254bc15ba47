// Characters with a meaning in the receivers of uses, besides those of expressions: see `Use.receiver` in references.ts.

/**
 * The beginning of the receivers of names in the body of a macro. Alone, the name is a bare one, and who uses the macro
 * uses it. `~0.state`: the name is a member of what the member `state` of the macro's first argument is.
 */
export const IN_MACRO = "~";
/**
 * The beginning of the receivers of names of which no more is known than the family of the languages that may define them, as
 * in a template with code of Ruby: `%ruby`. Then follows a "." for a member, and in Angular what it is a member of, from the
 * component: `%javascript.heroes[]`.
 */
export const BY_NAME = "%";
/** The arguments of a name of C++ that is one of a namespace or a type: `a` in `a::b`. */
export const OF_SCOPE = "::";
/** The receiver of `::name()` of C++, which is outside of all types and namespaces. */
export const OUTERMOST = "/";
/** At the end of a receiver: the name is a key of a literal, and a member of that type or no use. */
export const OF_EXPECTED = ":";
/** At the end of a receiver: the name is looked up in what the type around it inherits from, as `super` does. */
export const OF_BASE = "^";
/** Between two expressions of a receiver: the second is what conditions say of its type. */
export const OR_NARROWED = "!";
/** Between expressions of which a value has one, in Ruby. */
export const OR_ELSE = ";";
/** At the beginning of what is assigned to a variable: it is an element of the collection in the variable. */
export const ELEMENT = "+";
/** At the beginning of what a type or a function is applied to: it is a type argument, not an argument. */
export const TYPE_ARGUMENT = ":";
/** The same: the argument is a function, and its result follows. */
export const FUNCTION_ARGUMENT = "^";
/** The name of the schemas of Prisma: `@prisma$.User` is a record of the model `User`. */
export const PRISMA_SCHEMA = "prisma$";
/** Longer paths to a member are unknown. */
export const MAX_PATH = 60;

/** The parameter of a macro and the members from it, as a receiver or an argument in its body names it. */
export interface ParameterPath {
  readonly parameter: number;
  /** `.state.window`; "" for the parameter itself. */
  readonly path: string;
}

/** Returns the path in a receiver or an argument of a macro's body; undefined for others. */
export function parameterPath(text: string): ParameterPath | undefined {
  const [, parameter, path = ""] = /^~(\d+)((?:\.\w+)*)$/.exec(text) ?? [];
  return parameter === undefined ? undefined : { parameter: Number(parameter), path };
}
