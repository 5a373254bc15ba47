import { expect, test } from "vitest";

import { prismaFiles } from "../../../src/graph/modules/prisma.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";

test("a schema has the files of its folder and of those below", () => {
  const tree = fileTreeOf([
    "a/prisma/schema.prisma",
    "a/prisma/models/user.prisma",
    "a/prisma/models/notes.md",
    "a/other/loose.prisma",
    "b/db/base.prisma",
    "b/db/post.prisma",
  ]);
  expect(prismaFiles(tree).toSorted()).toEqual([
    "a/prisma/models/user.prisma",
    "a/prisma/schema.prisma",
    "b/db/base.prisma",
    "b/db/post.prisma",
  ]);
});
