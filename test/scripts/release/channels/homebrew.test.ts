import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { formula } from "../../../../scripts/release/channels/homebrew.ts";
import { readProduct } from "../../../../scripts/release/channels/product.ts";
import { needs } from "../../../helpers/needs.ts";

const PRODUCT = { ...readProduct(), description: 'Search "code" #{danger}.' };
const BOTTLES = [
  {
    target: { platform: "linux", arch: "x64" },
    file: "svc-1.2.3-linux-x64.gz",
    sha256: "1a".repeat(32),
  },
  {
    target: { platform: "darwin", arch: "arm64" },
    file: "svc-1.2.3-darwin-arm64.gz",
    sha256: "2b".repeat(32),
  },
] as const;

/** Simulates Homebrew: records the declarations of a formula on one system, and returns them as JSON. */
const HOMEBREW = `
require "json"
$said = {}
class Formula
  %w[desc homepage version license url sha256].each do |name|
    define_singleton_method(name) { |value| $said[name] = value }
  end
  def self.on_macos; yield if $system == "macos"; end
  def self.on_linux; yield if $system == "linux"; end
  def self.on_arm; yield if $processor == "arm"; end
  def self.on_intel; yield if $processor == "intel"; end
  def self.test; end
end
$system, $processor = ARGV
eval($stdin.read)
puts JSON.generate($said)
`;

needs(["ruby"], () => {
  test.each([
    ["linux", "intel", "svc-1.2.3-linux-x64.gz", "1a".repeat(32)],
    ["macos", "arm", "svc-1.2.3-darwin-arm64.gz", "2b".repeat(32)],
  ])(
    "Ruby accepts the formula, and on %s with %s it has the file of that platform",
    (system, processor, file, sha256) => {
      const input = formula(BOTTLES, PRODUCT);
      expect(execFileSync("ruby", ["-c"], { input, encoding: "utf8" })).toBe("Syntax OK\n");
      const said = execFileSync("ruby", ["-e", HOMEBREW, system, processor], {
        input,
        encoding: "utf8",
      });
      expect(JSON.parse(said)).toEqual({
        desc: 'Search "code" #{danger}',
        homepage: PRODUCT.homepage,
        version: PRODUCT.version,
        license: "MIT",
        url: `${PRODUCT.downloads}/${file}`,
        sha256,
      });
    },
  );

  test("a platform without an executable gets no URL", () => {
    const input = formula(BOTTLES.slice(0, 1), PRODUCT);
    expect(input).not.toContain("on_macos");
    const said = execFileSync("ruby", ["-e", HOMEBREW, "macos", "arm"], {
      input,
      encoding: "utf8",
    });
    expect(JSON.parse(said)).not.toHaveProperty("url");
  });
});
