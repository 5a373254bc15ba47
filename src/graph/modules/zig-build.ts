// Reads the names of modules in a build.zig, as far as its text shows them: it is not run.

/** A module of a build.zig: its name, and the path of its file from the folder of the build.zig. */
interface NamedModule {
  readonly name: string;
  readonly path: string;
}

/** Longer texts are cut. */
const MAX_CHARS = 500_000;
/** The settings of a module are within so many characters after its start. */
const MAX_SETTINGS = 600;
const FILE =
  /\b(?:root_source_file|source_file)\s*=\s*(?:\.\{\s*\.path\s*=\s*|[\w.]{1,40}\(\s*)?"([^"\n]+)"/;
const START =
  /(?:\b(?:const|var)\s+(\w+)\s*=\s*)?\b\w+\.(addModule|createModule|addLibrary|addExecutable|addStaticLibrary|addTest)\(\s*(?:"([^"\n]+)")?/g;
const ADDED =
  /\.(?:addImport|addModule|addAnonymousModule|addAnonymousImport)\(\s*"([^"\n]+)"\s*,\s*(?:(?:\w+\.){0,3}?(\w+)(?:\.(?:root_)?module)?\s*\)|\.\{)/g;
const LISTED = /\.name\s*=\s*"([^"\n]+)"\s*,\s*\.module\s*=\s*(?:\w+\.){0,3}(\w+)\b(?![.(])/g;

/** Returns the modules that a build.zig names. */
export function namedModules(text: string): readonly NamedModule[] {
  const build = text.slice(0, MAX_CHARS);
  const found: NamedModule[] = [];
  const variables = new Map<string, string>();
  for (const match of build.matchAll(START)) {
    const [whole, variable, , name] = match;
    const path = fileAfter(build, match.index + whole.length);
    if (path === undefined) continue;
    if (variable !== undefined) variables.set(variable, path);
    if (name !== undefined) found.push({ name, path });
  }
  for (const match of build.matchAll(ADDED)) {
    const [whole, name = "", variable] = match;
    const path =
      variable === undefined
        ? fileAfter(build, match.index + whole.length)
        : variables.get(variable);
    if (path !== undefined) found.push({ name, path });
  }
  for (const [, name = "", variable = ""] of build.matchAll(LISTED)) {
    const path = variables.get(variable);
    if (path !== undefined) found.push({ name, path });
  }
  return found;
}

/** Returns the file in the settings that begin at a place, up to the end of the statement. */
function fileAfter(text: string, start: number): string | undefined {
  const settings = text.slice(start, start + MAX_SETTINGS);
  const end = settings.indexOf(";");
  return FILE.exec(end === -1 ? settings : settings.slice(0, end))?.[1];
}
