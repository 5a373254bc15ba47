// The repositories whose history is evaluated, each up to one commit.

export interface HistoryRepository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly language: string;
  /** The newest commit that is used. */
  readonly tip: string;
  /** Number of earlier commits to draw from: older ones belong to a different program. */
  readonly window: number;
}

export const REPOSITORIES: readonly HistoryRepository[] = [
  {
    name: "hono",
    github: "honojs/hono",
    language: "TypeScript",
    tip: "28a9c128912de19f3fb28b00ae289c9b93f6f392",
    window: 1500,
  },
  {
    name: "vitest",
    github: "vitest-dev/vitest",
    language: "TypeScript",
    tip: "c3ba16b35847d27fb9f01f38cdcb047c77e121f8",
    window: 1500,
  },
  {
    name: "click",
    github: "pallets/click",
    language: "Python",
    tip: "2c8cd3ac958a7eb316d67f2d316c27086c4c0369",
    window: 1500,
  },
  {
    name: "cli",
    github: "cli/cli",
    language: "Go",
    tip: "44ee17760709bedf1cad7e452e61751489b81a33",
    window: 1500,
  },
  {
    name: "gson",
    github: "google/gson",
    language: "Java",
    tip: "9835b6f90192f79cdf5300c528fc6212455fb6c1",
    window: 1000,
  },
  {
    name: "tokio",
    github: "tokio-rs/tokio",
    language: "Rust",
    tip: "ea91b33ca57ff0581b38e735cc108f831bccbdaa",
    window: 1500,
  },
];
