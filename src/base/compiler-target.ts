// The definition that a compiler has found for a use, written as a receiver (see `Use.receiver` in references.ts).

/** A definition by its file and qualified name. They stay valid when lines move. */
export interface CompilerTarget {
  /** Path in the namespace. */
  readonly path: string;
  readonly qualifiedName: string;
}

const USE = "=";
const RELATION = "^";
const SEPARATOR = "\0";

/** Returns the receiver of a use that refers to this definition. */
export function usedTarget(target: CompilerTarget): string {
  return `${USE}${target.path}${SEPARATOR}${target.qualifiedName}`;
}

/** Returns the receiver of a relation to this definition: the owner inherits from it or overrides it. */
export function relatedTarget(target: CompilerTarget): string {
  return `${RELATION}${target.path}${SEPARATOR}${target.qualifiedName}`;
}

/** Returns the definition that a receiver names; undefined for an expression. */
export function compilerTarget(receiver: string): CompilerTarget | undefined {
  if (!receiver.startsWith(USE) && !receiver.startsWith(RELATION)) return undefined;
  const end = receiver.indexOf(SEPARATOR);
  if (end < 0) return undefined;
  return { path: receiver.slice(1, end), qualifiedName: receiver.slice(end + 1) };
}

/** The receiver of the one use that marks a file as described by a compiler. */
export const COMPILED_FILE = RELATION;

/** Returns whether the use is a relation, which no line of the file shows as a use. */
export function isRelation(receiver: string): boolean {
  return receiver.startsWith(RELATION);
}
