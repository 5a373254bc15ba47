import { expect, test } from "vitest";

import { claimsIn } from "../../../src/engine/drift/doc-claims.ts";

/** `line kind key` of each claim. */
function claims(text: string, language = "markdown", path = "docs/page.md"): readonly string[] {
  return claimsIn(text, language, path).map(({ line, kind, key }) => `${line} ${kind} ${key}`);
}

test("inline code states names, flags and paths; words of the text state nothing", () => {
  expect(
    claims(
      [
        "Call `Session.open()` or `openSession`, with `--dry-run` or `svc --max-depth=3`.",
        "See `src/base/log.ts`, `./other.md` and `retry=maxRetries`; parseTable and stream are words.",
        "`open` alone is a word, `open()` is a name, and `https://example.org/a/b.html` is neither.",
      ].join("\n"),
    ),
  ).toEqual([
    "1 name open",
    "1 name openSession",
    "1 flag dry-run",
    "1 flag max-depth",
    "2 path src/base/log.ts",
    "2 path docs/other.md",
    "3 name open",
  ]);
});

test("a declaration states its name", () => {
  expect(claims("`async def .stream_raw(maxBytes=3)` and `class Session`")).toEqual([
    "1 name stream_raw",
    "1 name maxBytes",
  ]);
});

test("each part of a qualified name, and each argument that is given by name, is one", () => {
  expect(claims("`CommitIndex::readAll(maxBytes=3)`")).toEqual([
    "1 name readAll",
    "1 name CommitIndex",
    "1 name maxBytes",
  ]);
});

test("links to files of the repository are paths from the page, and others state nothing", () => {
  expect(
    claims(
      "[a](../src/a.ts#L3) [b](b%20c.md) [c](https://example.org/c.md) [d](/d.md) [e](../../e.md) [f](#g)",
    ),
  ).toEqual(["1 path src/a.ts", "1 path docs/b c.md"]);
});

test("code blocks state flags, members, constants and imported names, except what they define themselves", () => {
  expect(
    claims(
      [
        "Use it:",
        "",
        "```py",
        "from svc import read_blobs, other  # not_this_one",
        "def my_view(read_limit):",
        "    own_blob = read_blobs(read_limit, MAX_SIZE=3).to_text(plain_name)",
        "$ svc index --full-scan",
        "```",
      ].join("\n"),
    ),
  ).toEqual([
    "4 name read_blobs",
    "6 name read_blobs",
    "6 name MAX_SIZE",
    "6 name to_text",
    "7 flag full-scan",
  ]);
});

test("reStructuredText has roles, directives and headings that are names", () => {
  const text = [
    "max_proc_per_cpu",
    "----------------",
    "",
    "See :class:`~flask.sessions.NullSession`, :func:`the function <open_file>` and ``SESSION_NAME``.",
    "",
    ".. autoclass:: UpgradeSession",
    "   :members:",
    "",
    ".. option:: --dry-run",
  ].join("\n");
  expect(claims(text, "rst", "docs/api.rst")).toEqual([
    "1 name max_proc_per_cpu",
    "4 name NullSession",
    "4 name open_file",
    "4 name SESSION_NAME",
    "6 name UpgradeSession",
    "9 flag dry-run",
  ]);
});

test.each([
  ["asciidoc", "Use `readBlobs` now.", "readBlobs"],
  ["org", "Use =readBlobs= now.", "readBlobs"],
  ["pod", "Use C<readBlobs> now.", "readBlobs"],
  ["tex", "Use \\texttt{readBlobs} now.", "readBlobs"],
])("inline code of %s states a name", (language, text, name) => {
  expect(claims(text, language, "docs/page")).toEqual([`1 name ${name}`]);
});

test("a manual page states flags", () => {
  expect(claims(".TP\n\\fB\\-\\-dry\\-run\\fR\nChange nothing.", "man", "man/svc.1")).toEqual([
    "2 flag dry-run",
  ]);
});

test("paragraphs and sections about the past state nothing", () => {
  const text = [
    "`oldName()` was removed.",
    "",
    "`otherName()` reads a file.",
    "",
    "## Deprecated functions",
    "",
    "`thirdName()` reads a file.",
    "",
    "## Now",
    "",
    "```js",
    "it.fourthName();",
    "```",
    "",
    "Before version 2 it was:",
    "",
    "```js",
    "it.fifthName();",
    "```",
  ].join("\n");
  expect(claims(text)).toEqual(["3 name otherName", "12 name fourthName"]);
});

test("a directive about a version speaks of the past, for the paragraph in it", () => {
  const text = ".. versionadded:: 0.4\n   ``LOGGER_NAME``\n\n``LOGGER_LEVEL`` is a number.";
  expect(claims(text, "rst")).toEqual(["4 name LOGGER_LEVEL"]);
});

test("hostile pages end soon, with a limited number of claims", () => {
  const text = [
    "`".repeat(50_000),
    `${"`a_b` ".repeat(300)}\n`.repeat(200),
    "[".repeat(20_000),
    "a::".repeat(20_000),
    `\`${"a.".repeat(900)}\``,
    "- ".repeat(900),
  ].join("\n");
  expect(claimsIn(text, "markdown", "a.md").length).toBeLessThan(6000);
  expect(claimsIn(text, "rst", "a.rst").length).toBeLessThan(6000);
});
