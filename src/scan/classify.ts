import { isEnvironmentFile } from "../base/environment-file.ts";
import { isDocumentFormat } from "../base/documents/document-formats.ts";
import {
  CONFIG_LANGUAGES,
  LANGUAGE_OF_EXTENSION,
  LANGUAGE_OF_INTERPRETER,
  LANGUAGE_OF_NAME,
  PROSE_LANGUAGES,
  type Language,
} from "./languages.ts";

export type { Language } from "./languages.ts";
/** The purpose of a file. */
export type FileRole = "code" | "tests" | "docs" | "config";

/**
 * Returns the language of a file by its name, its extension, or the `#!` of its first line; undefined if
 * unknown. `start`, the beginning of the content, decides between languages that share an extension.
 */
export function languageOf(path: string, start?: string | Uint8Array): Language | undefined {
  const name = nameOf(path).toLowerCase();
  const byName = LANGUAGE_OF_NAME.get(name) ?? languageOfVariant(path.toLowerCase(), name);
  if (byName !== undefined) return byName;
  const extension = extensionOf(name);
  const head = start === undefined ? "" : headOf(start);
  if (PAGE_TEMPLATE.test(extension)) return languageOfPageTemplate(name, extension, head);
  return (
    sharedExtension(extension, head) ??
    LANGUAGE_OF_EXTENSION.get(extension) ??
    languageOfTemplate(name, extension) ??
    (isEnvironmentFile(name) ? "ini" : undefined) ??
    languageOfInterpreter(head)
  );
}

/** Returns the role of a file. Prose is docs in any folder; data among tests belongs to the tests. */
export function fileRole(path: string, language: Language | undefined): FileRole {
  // Documents among tests are their data, like text files.
  const isText = language === "text" || (language !== undefined && isDocumentFormat(language));
  if (language !== undefined && PROSE_LANGUAGES.has(language) && !isText) return "docs";
  if (isTestPath(path, language)) return "tests";
  if (isText) return TEXT_TEMPLATE.test(path) ? "code" : "docs";
  if (language === "html" && DOCS_FOLDER.test(path)) return "docs";
  if (language !== undefined && CONFIG_LANGUAGES.has(language)) return "config";
  if (language === "groovy" && nameOf(path) === "Jenkinsfile") return "config";
  return "code";
}

/** Whether a path is that of an example, a demo or a benchmark. Code of a tutorial is one; its pages are documentation. */
export function isExample(path: string, role: FileRole): boolean {
  if (EXAMPLE_FOLDER.test(path) || EXAMPLE_NAME.test(nameOf(path))) return true;
  return role !== "docs" && TUTORIAL_FOLDER.test(path);
}

/** Whether a path is in a folder of third-party code. */
export function isVendored(path: string): boolean {
  return VENDOR_FOLDER.test(path);
}

/** Whether the name shows that a program wrote the file. The content can show it too (read-text-file.ts). */
export function isGeneratedName(path: string): boolean {
  return GENERATED_NAME.test(nameOf(path)) || GENERATED_FOLDER.test(path);
}

/** The extension without the dot; empty if there is none, or if the only dot is the first character. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1);
}

/** The text of a mail or a script to fill in. */
const TEXT_TEMPLATE = /(?:^|\/)templates?\/.*\.(?:txt|text)$/i;
const DOCS_FOLDER = /(?:^|\/)(?:docs?|documentation)\//i;
const EXAMPLE_FOLDER =
  /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|bench(?:es|marks?|marking)?|[^/]+[-_.](?:examples?|samples?|demos?))\//i;
const TUTORIAL_FOLDER = /(?:^|\/)tutorials?\//i;
const EXAMPLE_NAME = /^(?:example|sample|demo)s?(?:[._-]|$)|[._-](?:example|sample|demo)\.[^.]+$/i;
const VENDOR_FOLDER =
  /(?:^|\/)(?:vendor|vendored|vendors|_vendor|third[-_]?party|node_modules|bower_components|godeps|pods|carthage|site-packages|dist-packages)\//i;
const GENERATED_FOLDER = /(?:^|\/)(?:__generated__|generated|__snapshots__)\//i;
const GENERATED_NAME =
  /\.(?:pb|pb\.gw|gen|generated|g|freezed|designer)\.[^.]+$|\.pb\.(?:cc|h)$|_pb2(?:_grpc)?\.pyi?$|[._]generated\.[^.]+$|^zz_generated|_string\.go$|[.-]min\.[^.]+$|\.(?:map|snap|lock)$|^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$/i;

const TEST_FOLDER =
  /(?:^|\/)(?:__tests__|__mocks__|__fixtures__|testdata|e2e|(?:[^/]*[-_.]|self|unit)?tests?|tests?[-_][^/]*|[a-z]+Tests?)\//;
/** `Foo.Tests/` of .NET, `UnitTests/` of Xcode, `Test/` of PHP. */
const CAPITAL_TEST_FOLDER = /(?:^|\/)(?:[^/]*\.)?[A-Za-z]*Tests?\//;
/** `spec` folders also hold specifications, so this applies to code only. */
const SPEC_FOLDER = /(?:^|\/)specs?\//;
const TEST_STEM =
  /^(?:tests?|conftest|spec)$|^tests?[._-]|[._-](?:tests?|specs?|unittests?|e2e|cy|suite)$/i;
/** `ParserTest`, `ParserTests`, `ParserTestCase`, `ParserSpec`, `ParserIT`, `TestParser`. */
const TEST_CLASS = /[a-z0-9](?:Tests?|TestCase|TestBase|Specs?|IT)$|^Test[A-Z]/;
const CLASS_PER_FILE: ReadonlySet<Language> = new Set([
  "java",
  "kotlin",
  "scala",
  "groovy",
  "csharp",
  "fsharp",
  "php",
  "swift",
  "objc",
  "cpp",
  "haskell",
  "vb",
]);

function isTestPath(path: string, language: Language | undefined): boolean {
  const name = nameOf(path);
  const dot = name.indexOf(".", 1);
  const stem = name.slice(0, name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : undefined);
  if (TEST_FOLDER.test(path) || CAPITAL_TEST_FOLDER.test(path)) return true;
  if (language === undefined || CONFIG_LANGUAGES.has(language) || language === "text") return false;
  if (isDocumentFormat(language)) return false;
  if (SPEC_FOLDER.test(path) || TEST_STEM.test(stem)) return true;
  if (language === "perl") return name.endsWith(".t") || /(?:^|\/)t\//.test(path);
  if (name.endsWith(".bats")) return true;
  const firstStem = dot === -1 ? stem : name.slice(0, dot);
  return CLASS_PER_FILE.has(language) && TEST_CLASS.test(firstStem);
}

/** `Dockerfile.dev`, `Makefile.am`, `Jenkinsfile.release`. `.eslintrc.cjs` keeps the language of its extension. */
function languageOfVariant(path: string, name: string): Language | undefined {
  if (/^(?:docker|container)file[._-]/.test(name)) return "dockerfile";
  if (/^(?:gnu)?makefile[._-]/.test(name)) return "makefile";
  if (name.startsWith("jenkinsfile")) return "groovy";
  if (/(?:^|\/)(?:requirements|constraints)(?:[._-][^/]*|\/[\w.-]+)\.txt$/.test(path)) return "ini";
  return undefined;
}

/** Extensions of files that are copied or filled in to get the file itself. */
const TEMPLATE_EXTENSION = /^(?:in|sample|example|dist|default|tmpl|tpl|template)$/;

/** `etcd.conf.yml.sample`, `unbound.conf.5.in`: settings and prose keep their language. A template of code is not code. */
function languageOfTemplate(name: string, extension: string): Language | undefined {
  if (!TEMPLATE_EXTENSION.test(extension)) return undefined;
  const of = LANGUAGE_OF_EXTENSION.get(extensionOf(name.slice(0, -extension.length - 1)));
  if (of === undefined) return undefined;
  return CONFIG_LANGUAGES.has(of) || PROSE_LANGUAGES.has(of) ? of : undefined;
}

/** Extensions of template engines that fill in more than pages. */
const PAGE_TEMPLATE = /^(?:j2|jinja2?|erb|ejs|njk|twig|liquid|mustache|hbs|handlebars)$/;
/** What a page of HTML or a part of one has. */
const PAGE = /<[a-z!]|\{%-?\s*(?:extends|block)\b/i;

/**
 * The language of what a template becomes: `my.cnf.j2` and `database.yml.erb` are settings. Without an extension of its own, a
 * template is a page if its beginning is that of one. A template of code is not code.
 */
function languageOfPageTemplate(
  name: string,
  extension: string,
  head: string,
): Language | undefined {
  const stem = name.slice(0, -extension.length - 1);
  const of = LANGUAGE_OF_EXTENSION.get(extensionOf(stem));
  if (of === undefined)
    return extension.startsWith("j") && head !== "" && !PAGE.test(head) ? undefined : "html";
  if (of === "html" || of === "markdown") return of;
  return CONFIG_LANGUAGES.has(of) ? of : undefined;
}

/** The language for an extension of several languages, recognized by syntax that only one of them has. */
function sharedExtension(extension: string, head: string): Language | undefined {
  if (extension === "h") {
    if (/^\s*(?:@interface|@protocol|@class|#import)\b/m.test(head)) return "objc";
    return /^\s*(?:namespace|class|template|using|public:|private:|#include <[a-z_]+>)(?:\s|<|:|$)/m.test(
      head,
    )
      ? "cpp"
      : undefined;
  }
  if (extension === "ts" && /^\s*<\?xml|^\s*<!DOCTYPE TS>/.test(head)) return "xml";
  return undefined;
}

function languageOfInterpreter(head: string): Language | undefined {
  const program =
    /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*\/)?([\w-]+?)[\d.]*(?:\s|$)/.exec(
      head,
    )?.[1];
  return program === undefined ? undefined : LANGUAGE_OF_INTERPRETER.get(program.toLowerCase());
}

/** Characters of the content that language detection reads. */
const HEAD_LENGTH = 4096;

function headOf(start: string | Uint8Array): string {
  return typeof start === "string"
    ? start.slice(0, HEAD_LENGTH)
    : Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, HEAD_LENGTH)).toString(
        "latin1",
      );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
