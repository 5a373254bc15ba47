// Names in the case of another language.

/** Converts to snake case as Rails and Mix name files: "HTMLParser2" -> "html_parser2". */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** Returns `articlePreview` for `article-preview`. */
export function camelCase(name: string): string {
  return name.replaceAll(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns `ArticlePreview` for `article-preview`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.slice(0, 1).toUpperCase() + camel.slice(1);
}
