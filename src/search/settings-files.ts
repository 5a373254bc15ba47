// Recognizes files with the settings of a program, as opposed to settings of development tools.

import type { FileFacts } from "../index/types.ts";

/** Languages of settings files. A Makefile is not a settings file, and neither is a table. */
const LANGUAGES: ReadonlySet<string> = new Set(["ini", "yaml", "toml", "json", "xml"]);
/** Files of tools, in folders and files that begin with a dot unless they are `.env.example`, and texts of the interface in human languages. */
const OTHER_FOLDER = /(?:^|\/)(?:\.(?!env(?![a-z]))|(?:locales?|i18n|l10n|translations?)\/)/i;
/** Files of package managers, compilers, linters, services of continuous integration and makers of documentation. */
const TOOL_FILE =
  /(?:^|\/)(?:package|composer|bower|lerna|nx|turbo|angular|renovate|vercel|[jt]sconfig[^/]*)\.jsonc?$|(?:^|\/)(?:cargo|pyproject|rust-toolchain|rustfmt|clippy|deny|cross|netlify|book)\.toml$|(?:^|\/)(?:pom|build|ivy|checkstyle)\.xml$|(?:^|\/)(?:setup\.cfg|(?:tox|pytest|mypy)\.ini|(?:requirements|constraints)(?:[^/]*|\/[\w.-]+)\.txt|gradle\.properties|gradle-wrapper\.properties)$|(?:^|\/)(?:mkdocs|codecov|appveyor|azure-pipelines|cloudbuild|_config|pnpm-workspace)\.ya?ml$|\.(?:[a-z]+proj|props|targets|nuspec|resx|xaml|svg|plist|storyboard|xib|lock)$/i;

/** Manifests and resources of Android apps, and code of others. */
const NOT_OWN_SETTINGS =
  /(?:^|\/)AndroidManifest\.xml$|(?:^|\/)res\/(?:anim|color|drawable|font|layout|menu|mipmap|navigation|raw|values|xml)(?:-[^/]*)?\/|(?:^|\/)(?:vendor|third[_-]party)\//i;
/** Data, such as fixtures and results of measurements: they are long, and contain all words. */
const DATA =
  /(?:^|\/)(?:bench(?:mark)?s?|data(?:sets?)?|dumps?|fixtures?|performance|recordings?|results?|seeds?|snapshots?|testdata)\/.*\.(?:json|xml)$/i;
/** Dashboards of Grafana and others: they are long and contain all words of metrics. */
const DASHBOARD = /(?:^|[/_.-])dashboards?(?:[/_.-][^/]*)?\.json$|(?:^|\/)dashboards?\/.*\.json$/i;
/** Returns whether a file holds settings of the program, such as `redis.conf`. */
export function isSettingsFile({
  path,
  role,
  language,
}: Pick<FileFacts, "path" | "role" | "language">): boolean {
  if (role !== "config" || !LANGUAGES.has(language)) return false;
  return ![OTHER_FOLDER, TOOL_FILE, NOT_OWN_SETTINGS, DATA, DASHBOARD].some((one) =>
    one.test(path),
  );
}

const MODULE_VARIABLES = /(?:^|[/_-])variables[^/]*\.tf$/;

/** Returns whether a file describes settings: documentation, settings with their comments, or the variables of a Terraform module. */
export function describesSettings(file: Pick<FileFacts, "path" | "role" | "language">): boolean {
  return file.role === "docs" || isSettingsFile(file) || MODULE_VARIABLES.test(file.path);
}
