// Repositories with the references that a compiler found, each at one commit. No library was on the class path: a use
// whose meaning the compiler therefore did not know is not judged.

export interface CompiledRepository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly language: "java";
  /** The sampled definitions are in paths that this regular expression matches; uses are searched for everywhere. */
  readonly sources: string;
  /** Nobody reads its false and missed references: it shows whether what helps the others helps in general. */
  readonly isJudge?: true;
}

export const COMPILED_REPOSITORIES: readonly CompiledRepository[] = [
  {
    name: "jsoup",
    github: "jhy/jsoup",
    commit: "46b620860af930eedc193a705eaf7cea5aec89a6",
    language: "java",
    sources: "^src/main/",
  },
  {
    name: "commons-lang",
    github: "apache/commons-lang",
    commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52",
    language: "java",
    sources: "^src/main/",
  },
  {
    name: "mockito",
    github: "mockito/mockito",
    commit: "ee8a330da0218f32d5964acdeaa3ac39e2c6ce14",
    language: "java",
    sources: "/src/main/",
    isJudge: true,
  },
  {
    name: "commons-io",
    github: "apache/commons-io",
    commit: "d83aeb6f4774aee75d857b29fb6cd89132c9a91b",
    language: "java",
    sources: "^src/main/",
    isJudge: true,
  },
];
