import { expect, test } from "vitest";

import { fileRole, languageOf } from "../../src/scan/classify.ts";
import { isSettingsFile } from "../../src/search/settings-files.ts";

function isSettings(path: string): boolean {
  const language = languageOf(path);
  return isSettingsFile({ path, role: fileRole(path, language), language: language ?? "" });
}

test.each([
  "redis.conf",
  "conf/nginx.conf",
  "src/main/resources/application.yml",
  "etcd.conf.yml.sample",
  "presets/defaults.toml",
  "settings.schema.json",
  "docker-compose.yml",
  ".env.example",
  "config/server.env.example",
  "templates/my.cnf.j2",
  "data/config.yaml",
])("%s holds settings", (path) => {
  expect(isSettings(path)).toBe(true);
});

test.each([
  ["settings of a tool", ".github/workflows/test.yml"],
  ["settings of a tool", ".rubocop.yml"],
  ["a manifest", "package.json"],
  ["a manifest", "core/pom.xml"],
  ["a manifest", "requirements/production.txt"],
  ["a manifest", "src/App.csproj"],
  ["a compiler's settings", "tsconfig.build.json"],
  ["texts of the interface", "i18n/en/settings.json"],
  ["a recipe", "Makefile"],
  ["a table", "settings.csv"],
  ["data of a test", "tests/redis.conf"],
  ["a result of measurements", "etc/performance/data/hyperfine-output.json"],
  ["a fixture", "shop/base/fixtures/shop.json"],
  ["a manifest", "android/app/src/main/AndroidManifest.xml"],
  ["a picture", "android/app/src/main/res/drawable-hdpi/pad.xml"],
  ["settings of others", "backend/vendor/github.com/acme/lexer/embedded/racket.xml"],
  ["documentation", "docs/settings.md"],
  ["code", "src/settings.ts"],
])("%s is none: %s", (_, path) => {
  expect(isSettings(path)).toBe(false);
});
