import { expect, test } from "vitest";

import { localRepository, looksLikeUrl, parseRepositoryUrl } from "../../src/sources/git-url.ts";

test.each([
  ["https://example.org/team/app.git", "app"],
  ["https://example.org:8443/app", "app"],
  ["http://127.0.0.1:8080/app/", "app"],
  ["ssh://git@example.org:22/team/app.git", "app"],
  ["git@example.org:team/app.git", "app"],
  ["build-host:app", "app"],
  ["git://[::1]:9418/app.git", "app"],
  ["file:///srv/git/my%20app.git", "my-20app"],
  ["file:///srv/project/.git", "project"],
])("%s is fetched unchanged, into a folder named %s", (url, name) => {
  expect(looksLikeUrl(url)).toBe(true);
  expect(parseRepositoryUrl(url)).toMatchObject({ url, ref: undefined, name });
});

test.each(["/srv/app", "./a:b", "../x", "src", "C:\\src", "C:/src", "~/src", "."])(
  "%s is a path",
  (path) => {
    expect(looksLikeUrl(path)).toBe(false);
  },
);

test("the text after # is the ref, like --ref", () => {
  const url = "https://example.org/app.git";
  expect(parseRepositoryUrl(`${url}#release/1.x`)).toMatchObject({ url, ref: "release/1.x" });
  expect(parseRepositoryUrl(url, "v1.0")).toMatchObject({ url, ref: "v1.0" });
  expect(parseRepositoryUrl(`${url}#v1.0`, "v1.0")).toMatchObject({ url, ref: "v1.0" });
  expect(() => parseRepositoryUrl(`${url}#v1.0`, "v2.0")).toThrow(/one ref and --ref another/);
});

test.each([
  "--upload-pack=touch /tmp/x",
  "-x",
  "",
  "main:refs/heads/evil",
  "+main",
  "a..b",
  "main@{1}",
  "a b",
  "main~1",
  "^main",
  "refs/*",
  "a.lock",
  "/main",
  "main/",
  "a\nb",
])("%j is not a ref", (ref) => {
  expect(() => parseRepositoryUrl("https://example.org/app.git", ref)).toThrow(/ref/);
});

test.each([
  ["ext::sh -c touch% /tmp/x", /only over https, http, ssh, git and file/],
  ["fd::17", /only over https, http, ssh, git and file/],
  ["https::https://example.org/app", /only over https, http, ssh, git and file/],
  ["ftp://example.org/app.git", /only over https, http, ssh, git and file/],
  ["svn+ssh://example.org/app", /only over https, http, ssh, git and file/],
  ["ssh://-oProxyCommand=touch/app", /not a repository URL/],
  ["ssh://-x@example.org/app", /not a repository URL/],
  ["git@example.org:-x", /not a repository URL/],
  ["-x@example.org:app", /not a repository URL/],
  ["git://-x/app", /not a repository URL/],
  ["https:///app", /not a repository URL/],
  ["https://example.org", /not a repository URL/],
  ["file://server/share/app", /not a repository URL/],
  ["https://example.org/a b", /blanks or control/],
  ["https://example.org/a\nb", /blanks or control/],
])("%j is refused", (url, message) => {
  expect(looksLikeUrl(url)).toBe(true);
  expect(() => parseRepositoryUrl(url)).toThrow(message);
});

test.each([
  "https://user:hunter2@example.org/app.git",
  "https://hunter2@example.org/app.git",
  "https://user:hunter2@[::1]:80/app.git",
  "ssh://git:hunter2@example.org/app.git",
  "https://example.org/app.git?access_token=hunter2",
])("%s is refused with an alternative, and the secret is not repeated", (url) => {
  let detail = "";
  try {
    parseRepositoryUrl(url);
  } catch (thrown) {
    detail = thrown instanceof Error && "detail" in thrown ? String(thrown.detail) : "";
  }
  expect(detail).toMatch(/secret/);
  expect(detail).not.toContain("hunter2");
});

test.each([
  ["C:\\code\\my repo.git", "\\", "file:///C:/code/my%20repo.git"],
  ["\\\\server\\share\\repo.git", "\\", "file:////server/share/repo.git"],
  ["/srv/c:\\d.git", "/", "file:///srv/c:\\d.git"],
])("a local repository in %s has a URL that git reads", (folder, separator, url) => {
  expect(localRepository(folder, undefined, separator).url).toBe(url);
});
