// The repositories with the queried histories, each up to one commit.

export interface WhyRepository {
  /** `owner/name` on GitHub. */
  readonly github: string;
  /** The newest commit used. */
  readonly tip: string;
}

export const REPOSITORIES: readonly WhyRepository[] = [
  { github: "pallets/flask", tip: "2ac89889f4cc330eabd50f295dcef02828522c69" },
  { github: "gin-gonic/gin", tip: "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9" },
  { github: "fastify/fastify", tip: "83e69762aff047940b376fc2a266d143499ef727" },
  { github: "jqlang/jq", tip: "579e6f76cffd7643ba4002a2c3618a5ea710589a" },
  { github: "google/leveldb", tip: "78a352f47ed6c1e9d750545e9b242289185b87e1" },
];

/** The large history that shows the cost of reading all commits. */
export const LARGE: WhyRepository = {
  github: "sympy/sympy",
  tip: "e950d313a932bc6cccbc95376b3821cd2f8b5af4",
};
