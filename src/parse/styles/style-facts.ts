// What is read from the style sheets of a file.

import type { SymbolKind } from "../languages/definition-rules.ts";
import type { Import } from "../references/references.ts";

/** A name that a style sheet defines. Lines are 1-based and inclusive. */
export interface StyleDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The line of the name. */
  readonly line: number;
  endLine: number;
  /** Whether only the file itself can mean it, as in the style sheet of one component. */
  readonly isScoped: boolean;
}

/** A name that a style sheet, markup or a script uses. */
export interface StyleName {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly isCall?: boolean | undefined;
  /** The local name of the import that leads to the style sheet with the name. */
  readonly module?: string | undefined;
  /** Whether a rule only says where it applies: `.nav` in `.nav .link`. It does not depend on the rules of that name. */
  readonly isMention?: boolean | undefined;
  /** Whether it is in a selector that searches a page, which may have any component in it. */
  readonly isSought?: boolean | undefined;
  /** Whether only the file itself can define it. */
  readonly isOwn?: boolean | undefined;
}

export interface StyleFacts {
  readonly definitions: readonly StyleDefinition[];
  readonly uses: readonly StyleName[];
  readonly imports: readonly Import[];
}

export const NO_STYLES: StyleFacts = { definitions: [], uses: [], imports: [] };
