// Variables that a template declares: of loops, blocks and assignments. Their names are no uses.

const DECLARATIONS: readonly RegExp[] = [
  // Blocks of Ruby and Handlebars: `|post, index|`.
  /\|\s*(?<names>[a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s*\|/g,
  // `{% for key, value in items %}`
  /\bfor\s+(?<names>[a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s+in\b/g,
  /\b(?:set|assign|capture|as|var|let)\s+(?<names>[A-Za-z_]\w*)/g,
  // `@foreach (OrderLine line in Model.Lines)`
  /\bforeach\s*\(\s*[\w<>.?]+\s+(?<names>\w+)\s+in\b/g,
];

/** Returns the names that a template declares anywhere. */
export function templateLocals(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const declaration of DECLARATIONS) {
    for (const { groups } of text.matchAll(declaration)) {
      for (const name of groups?.["names"]?.split(/\s*,\s*/) ?? []) found.add(name);
    }
  }
  return found;
}
