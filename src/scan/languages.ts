// The tables that classify.ts uses: extensions, names and interpreters of each language.

import { DOCUMENT_EXTENSIONS } from "../base/documents/document-formats.ts";

/**
 * Extensions by language, in lower case, without the dot. If two languages list an extension, the first one
 * gets it.
 */
const EXTENSIONS = {
  typescript: "ts mts cts",
  tsx: "tsx",
  javascript: "js mjs cjs jsx es6",
  python: "py pyi pyw pyx pxd bzl star",
  go: "go",
  java: "java",
  kotlin: "kt kts",
  rust: "rs",
  c: "c h",
  cpp: "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp ixx cppm cu cuh ino",
  csharp: "cs csx",
  php: "php php3 php4 php5 phtml",
  ruby: "rb rake gemspec ru podspec jbuilder",
  swift: "swift",
  scala: "scala sc sbt",
  elixir: "ex exs",
  haskell: "hs lhs hsc",
  lua: "lua luau rockspec",
  bash: "sh bash zsh ksh bats fish",
  zig: "zig zon",
  ocaml: "ml mli mll mly",
  r: "r rmd",
  dart: "dart",
  sql: "sql psql plsql ddl",
  css: "css scss sass less styl",
  html: "html htm xhtml hbs handlebars mustache ejs erb haml jinja jinja2 j2 njk twig liquid cshtml razor jsp jspx heex leex eex slim gohtml ftl",
  json: "json jsonc json5 jsonl ndjson geojson webmanifest avsc har",
  yaml: "yaml yml",
  toml: "toml",
  xml: "xml xsd xsl xslt svg plist csproj fsproj vbproj vcxproj props targets resx xaml wsdl nuspec config storyboard xib pom",
  ini: "ini cfg conf cnf properties editorconfig desktop service",
  markdown: "md markdown mdx mdown mkd",
  rst: "rst rest",
  asciidoc: "adoc asciidoc asc",
  org: "org",
  pod: "pod",
  text: "txt text log textile 1 2 3 4 5 6 7 8",
  csv: "csv tsv",
  tex: "tex latex ltx sty cls",
  bibtex: "bib",
  protobuf: "proto textproto pbtxt",
  graphql: "graphql gql graphqls",
  prisma: "prisma",
  dockerfile: "dockerfile containerfile",
  makefile: "mk mak make",
  cmake: "cmake",
  powershell: "ps1 psm1 psd1",
  perl: "pl pm t plx",
  julia: "jl",
  clojure: "clj cljs cljc edn bb",
  erlang: "erl hrl",
  fsharp: "fs fsi fsx",
  vue: "vue",
  svelte: "svelte astro",
  objc: "m mm",
  groovy: "groovy gradle gvy gy",
  terraform: "tf tfvars hcl",
  nix: "nix",
  vim: "vim vimrc",
  elisp: "el",
  lisp: "lisp cl lsp scm ss rkt",
  verilog: "v sv svh vh",
  vhdl: "vhd vhdl",
  assembly: "asm s nasm",
  fortran: "f f77 f90 f95 f03 f08",
  pascal: "pas pp dpr",
  nim: "nim nims",
  crystal: "cr",
  d: "d di",
  vb: "vb vbs bas",
  solidity: "sol",
  shader: "glsl vert frag hlsl wgsl metal comp",
  wat: "wat wast",
  starlark: "bazel",
  batch: "bat cmd",
  awk: "awk",
  tcl: "tcl",
  thrift: "thrift",
  ...DOCUMENT_EXTENSIONS,
} as const;

export type Language = keyof typeof EXTENSIONS;

/** Whole file names by language, in lower case. */
const NAMES: Partial<Record<Language, string>> = {
  dockerfile: "dockerfile containerfile",
  makefile: "makefile gnumakefile bsdmakefile kbuild justfile",
  cmake: "cmakelists.txt cmakecache.txt",
  ruby: "rakefile gemfile guardfile vagrantfile podfile fastfile appfile brewfile capfile dangerfile",
  groovy: "jenkinsfile",
  starlark: "build workspace tiltfile",
  python: "sconstruct sconscript wscript",
  bash: ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile .kshrc pkgbuild apkbuild configure gradlew",
  vim: ".vimrc .gvimrc .exrc",
  toml: "pipfile",
  json: ".babelrc .eslintrc .prettierrc .swcrc .jshintrc .jscsrc .stylelintrc .watchmanconfig composer.lock",
  yaml: ".clang-format .clang-tidy .yamllint .gemrc",
  ini: ".editorconfig .gitconfig .gitmodules .gitattributes .gitignore .dockerignore .npmignore .svcignore .eslintignore .prettierignore .pylintrc .flake8 .coveragerc .mailmap codeowners .nvmrc .node-version .python-version .ruby-version .tool-versions go.mod go.work procfile manifest.in requirements.txt constraints.txt kconfig",
  elisp: ".emacs",
  text: "license licence copying notice authors contributors maintainers changelog changes news history readme install todo version",
  r: ".rprofile",
};

/** Program names of a `#!` line, without a version. */
const INTERPRETERS: Partial<Record<Language, string>> = {
  python: "python pypy uv",
  bash: "sh bash zsh ksh dash ash fish bats",
  javascript: "node nodejs bun",
  typescript: "deno ts-node tsx",
  ruby: "ruby jruby rake",
  perl: "perl",
  php: "php",
  lua: "lua luajit",
  awk: "awk gawk mawk",
  tcl: "tclsh wish expect",
  r: "rscript",
  julia: "julia",
  elixir: "elixir",
  erlang: "escript",
  groovy: "groovy",
  scala: "scala",
  haskell: "runhaskell runghc stack",
  ocaml: "ocaml",
  powershell: "pwsh",
  makefile: "make",
  clojure: "bb clojure",
  nix: "nix-shell",
  swift: "swift",
  kotlin: "kotlin",
};

/** Every language, in the order of the table. */
export const LANGUAGES: readonly Language[] = Object.keys(EXTENSIONS).filter(isLanguage);

export const LANGUAGE_OF_EXTENSION = invert(EXTENSIONS);
export const LANGUAGE_OF_NAME = invert(NAMES);
export const LANGUAGE_OF_INTERPRETER = invert(INTERPRETERS);

export const PROSE_LANGUAGES: ReadonlySet<Language> = new Set([
  "markdown",
  "rst",
  "asciidoc",
  "org",
  "pod",
  "text",
  "tex",
  "bibtex",
]);

export const CONFIG_LANGUAGES: ReadonlySet<Language> = new Set([
  "json",
  "yaml",
  "toml",
  "xml",
  "csv",
  "ini",
  "dockerfile",
  "makefile",
  "cmake",
]);

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(EXTENSIONS, name);
}

function invert(table: Partial<Record<Language, string>>): ReadonlyMap<string, Language> {
  const inverted = new Map<string, Language>();
  for (const language of LANGUAGES) {
    for (const word of table[language]?.split(" ") ?? []) {
      if (!inverted.has(word)) inverted.set(word, language);
    }
  }
  return inverted;
}
