import { expect, test } from "vitest";

import { project, request } from "../../helpers/project.ts";

test.each(["include", "exclude"])(
  "a glob of %s that nothing can match is refused",
  async (name) => {
    const made = project({ "a.md": "# A\n" });
    await expect(made.engine.index({ ...request(), [name]: ["*.md", "!src/[/"] })).rejects.toThrow(
      `${name}: the glob "!src/[/" has a "[" that is not closed.`,
    );
  },
);
