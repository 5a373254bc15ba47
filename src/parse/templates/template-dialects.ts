// Which templates contain code of which language, and how they mark it.

/** How a template marks code. */
export type CodeMark =
  /** `<% code %>` */
  | "percent"
  /** `{{ code }}` and `{% code %}` */
  | "braces"
  /** `{code}` */
  | "brace"
  /** `${code}` and `*{code}` */
  | "dollar"
  /** `#{code}` */
  | "hash"
  /** `@name(code)`, and in Razor `@code` */
  | "at"
  /** Lines that begin with `=` or `-` */
  | "lines"
  /** `(event)="code"`, `[property]="code"`, `*directive="code"` */
  | "bindings"
  /** `asp-for="code"`, which is about the model of a view */
  | "model";

export interface TemplateDialect {
  /** The family of the languages whose definitions the code uses: see `languageFamily`. */
  readonly family: string;
  readonly marks: readonly CodeMark[];
  /** Elements are components, and `|` is in front of pipes. */
  readonly isAngular?: true;
}

const RUBY: TemplateDialect = { family: "ruby", marks: ["percent"] };
const RUBY_LINES: TemplateDialect = { family: "ruby", marks: ["lines", "hash"] };
const PYTHON: TemplateDialect = { family: "python", marks: ["braces"] };
const JAVASCRIPT: TemplateDialect = { family: "javascript", marks: ["braces"] };
const JAVA: TemplateDialect = { family: "jvm", marks: ["percent", "dollar", "hash"] };
const RAZOR: TemplateDialect = { family: "csharp", marks: ["at", "model"] };
/** Templates of Phoenix. */
export const HEEX: TemplateDialect = { family: "elixir", marks: ["percent", "brace"] };
const GO: TemplateDialect = { family: "go", marks: ["braces"] };

/** By the end of the name. */
const DIALECTS: Readonly<Record<string, TemplateDialect>> = {
  erb: RUBY,
  rhtml: RUBY,
  haml: RUBY_LINES,
  slim: RUBY_LINES,
  liquid: { family: "ruby", marks: ["braces"] },
  jinja: PYTHON,
  jinja2: PYTHON,
  j2: PYTHON,
  twig: { family: "php", marks: ["braces"] },
  hbs: JAVASCRIPT,
  handlebars: JAVASCRIPT,
  mustache: JAVASCRIPT,
  njk: JAVASCRIPT,
  ejs: { family: "javascript", marks: ["percent"] },
  jsp: JAVA,
  jspx: JAVA,
  ftl: JAVA,
  cshtml: RAZOR,
  razor: RAZOR,
  eex: { family: "elixir", marks: ["percent"] },
  heex: HEEX,
  leex: HEEX,
  gohtml: GO,
  tmpl: GO,
  gotmpl: GO,
};
const BLADE: TemplateDialect = { family: "php", marks: ["braces", "at"] };
const THYMELEAF: TemplateDialect = { family: "jvm", marks: ["dollar"] };
/** Components of Angular. */
export const ANGULAR: TemplateDialect = {
  family: "javascript",
  marks: ["braces", "bindings", "at"],
  isAngular: true,
};

const ANGULAR_TEXT = /\s(?:\*ng[A-Z]|\*[a-z][A-Za-z]+=|\([a-z][\w.-]*\)=|\[[a-z(][\w.()-]*\]=)/;
const GO_TEXT = /\{\{-?\s*(?:[.$][A-Z]|range\s|template\s|define\s|block\s|with\s|end\s*-?\}\})/;

/**
 * Returns the dialect of a file; undefined if it is no template. A file named `.html` shows its dialect by its text; one with
 * `{% … %}` counts as a template of Django, Flask or another library of Python.
 */
export function templateDialect(
  path: string,
  language: string | undefined,
  text: string,
): TemplateDialect | undefined {
  if (/\.blade\.php$/i.test(path)) return BLADE;
  const [, end = ""] = /\.([a-z0-9]+)$/i.exec(path) ?? [];
  const known = DIALECTS[end.toLowerCase()];
  if (known !== undefined || language !== "html") return known;
  if (/\.component\.html$/i.test(path) || ANGULAR_TEXT.test(text)) return ANGULAR;
  if (text.includes("{%")) return PYTHON;
  if (GO_TEXT.test(text)) return GO;
  return /\sth:[a-z]+="/.test(text) ? THYMELEAF : undefined;
}
