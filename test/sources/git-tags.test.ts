import { afterAll, beforeAll, expect, test } from "vitest";

import { tagsAtHead } from "../../src/sources/git-tags.ts";
import { repositoryAt } from "../../src/sources/git.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";

let repository: GitRepository;

beforeAll(() => {
  repository = gitRepository();
  repository.commit({ "a.txt": "one\n" });
  repository.git("tag", "v1.0.0");
  repository.git("tag", "-a", "v1.0.1", "-m", "annotated");
  repository.commit({ "a.txt": "two\n" });
  repository.git("tag", "sub/v2.0.0");
});

afterAll(() => repository.dispose());

function tags(): readonly string[] {
  const found = repositoryAt(repository.path);
  if (found === undefined) throw new Error("there is no repository");
  return tagsAtHead(found);
}

test("tags of the commit that is checked out are found, in files and packed, of a branch and without one", () => {
  expect(tags()).toEqual(["sub/v2.0.0"]);
  repository.git("checkout", "-q", "v1.0.0");
  expect(tags()).toEqual(["v1.0.0"]);
  repository.git("pack-refs", "--all");
  expect(tags()).toEqual(["v1.0.0", "v1.0.1"]);
  repository.git("checkout", "-q", "main");
  expect(tags()).toEqual(["sub/v2.0.0"]);
});
