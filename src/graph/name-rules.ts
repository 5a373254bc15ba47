// What the rules of languages are that decide what a bare name means.

import { languageFamily } from "../base/language-families.ts";

interface NameRules {
  /** Members of the type around can be named without what they are members of. */
  readonly hasImplicitThis?: true;
  /** Modules are named down to the thing itself: `import a.b.Thing`, `use a::b::Thing`. */
  readonly importsByFullName?: true;
  /**
   * Names that are not private to a file mean the same in the whole project: the linker, the loader or the
   * compiler puts them into one space.
   */
  readonly hasGlobalNames?: true;
  /** How paths are written that name a module without an import; those that end with it: `a.b.Thing`. */
  readonly paths?: { readonly separator: string; readonly hasTypesAtEnd?: true };
  /** Methods of what holds one value or none, and of references, that give that value. */
  readonly transparentMembers?: ReadonlySet<string>;
  /** Names that are those of the language where the file does not have or import them. */
  readonly isPrelude?: (name: string) => boolean;
  /** What a file imports can be imported from it in turn. */
  readonly passesImportsOn?: true;
  /** A file sees what is in the namespaces that it is in and that it uses. */
  readonly hasNamespaces?: true;
  /** Types go on wherever one of the same name is defined, and are seen everywhere. */
  readonly hasOpenTypes?: true;
  /** Members can be defined outside of their types, and are imported like functions. */
  readonly hasExtensions?: true;
  /** What is in a namespace is known by what it is called there: `open` for `net::open`. */
  readonly hasFlatNamespaces?: true;
  /** A type is of every interface of which it has all methods. */
  readonly hasStructuralTypes?: true;
  /** Imports bring in the text of a file, with what that imports. */
  readonly includesText?: true;
  /** A type may have members that are not seen in it. */
  readonly hasHiddenMembers?: true;
}

const JVM: NameRules = {
  hasImplicitThis: true,
  importsByFullName: true,
  paths: { separator: ".", hasTypesAtEnd: true },
};
const C: NameRules = {
  hasImplicitThis: true,
  hasGlobalNames: true,
  hasFlatNamespaces: true,
  includesText: true,
  hasHiddenMembers: true,
};
const NAME_RULES: Readonly<Record<string, NameRules>> = {
  python: { passesImportsOn: true },
  go: { hasStructuralTypes: true },
  java: JVM,
  kotlin: { ...JVM, hasExtensions: true },
  scala: JVM,
  groovy: JVM,
  rust: {
    importsByFullName: true,
    paths: { separator: "::" },
    hasHiddenMembers: true,
    isPrelude: (name) => /^(?:\p{Lu}|std$|core$|alloc$)/u.test(name),
    transparentMembers: new Set(
      "unwrap expect unwrap_or unwrap_or_else unwrap_or_default ok ok_or ok_or_else map_err or or_else clone cloned copied as_ref as_mut as_deref as_deref_mut borrow borrow_mut lock read write get_mut get_ref into_inner deref deref_mut to_owned into by_ref take replace context with_context as_pin_mut as_slice load project project_ref".split(
        " ",
      ),
    ),
  },
  c: C,
  cpp: C,
  objc: C,
  csharp: {
    hasImplicitThis: true,
    hasNamespaces: true,
    hasHiddenMembers: true,
    importsByFullName: true,
  },
  php: { hasGlobalNames: true, importsByFullName: true, paths: { separator: "\\" } },
  ruby: { hasImplicitThis: true, hasOpenTypes: true },
  swift: { hasImplicitThis: true, hasGlobalNames: true },
  elixir: { importsByFullName: true, hasGlobalNames: true },
};

const NO_RULES: NameRules = {};

export function nameRules(language: string): NameRules {
  return NAME_RULES[language] ?? NO_RULES;
}

/** Whether a bare name may be that of a member of something that the file does not tell. */
export function hasBareMembers(language: string): boolean {
  const { hasExtensions = false, hasOpenTypes = false } = nameRules(language);
  return hasExtensions || hasOpenTypes;
}

/** Whether what is defined in one language can be used in the other. */
export function canUse(user: string, definer: string): boolean {
  return languageFamily(user) === languageFamily(definer);
}
