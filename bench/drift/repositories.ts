// Repositories with a long history and documentation of their own. Rules are tuned on the first half only.

export interface DriftRepository {
  /** `owner/name` on GitHub. */
  readonly github: string;
  readonly half: "develop" | "judge";
}

const DEVELOP = [
  "pallets/flask",
  "fastify/fastify",
  "scrapy/scrapy",
  "vitest-dev/vitest",
  "pytest-dev/pytest",
  "encode/httpx",
  "celery/celery",
  "aio-libs/aiohttp",
  "encode/starlette",
  "locustio/locust",
  "mitmproxy/mitmproxy",
  "sequelize/sequelize",
  "psf/requests",
  "spf13/cobra",
  "elixir-ecto/ecto",
  "python-poetry/poetry",
];
const JUDGE = [
  "falconry/falcon",
  "marshmallow-code/marshmallow",
  "tox-dev/tox",
  "pallets/werkzeug",
  "restify/node-restify",
  "tornadoweb/tornado",
  "encode/django-rest-framework",
  "libuv/libuv",
  "honojs/hono",
  "elixir-plug/plug",
  "tokio-rs/tokio",
  "bats-core/bats-core",
  "nvim-telescope/telescope.nvim",
  "opencontainers/image-spec",
];

export const REPOSITORIES: readonly DriftRepository[] = [
  ...DEVELOP.map((github) => ({ github, half: "develop" }) as const),
  ...JUDGE.map((github) => ({ github, half: "judge" }) as const),
];
