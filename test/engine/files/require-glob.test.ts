import { expect, test } from "vitest";

import { createProject, request } from "../../helpers/project.ts";

test.each(["include", "exclude"])(
  "a glob of %s that nothing can match is refused",
  async (name) => {
    const project = createProject({ "a.md": "# A\n" });
    await expect(
      project.engine.index({ ...request(), [name]: ["*.md", "!src/[/"] }),
    ).rejects.toThrow(`${name}: the glob "!src/[/" has a "[" that is not closed.`);
  },
);
