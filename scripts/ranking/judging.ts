// The questions reserved for judging: no model learns from them.

interface Asked {
  readonly suite: string;
  /** `owner/name`. */
  readonly repository: string;
}

/** Of the 15 projects of `howto`, eight are for learning, and of the 11 of `settings` five. */
const JUDGING: ReadonlySet<string> = new Set([
  "vitest-dev/vitest",
  "pallets/click",
  "gin-gonic/gin",
  "sinatra/sinatra",
  "libuv/libuv",
  "Alamofire/Alamofire",
  "jgm/pandoc",
  "eclipse-mosquitto/mosquitto",
  "apache/kafka",
  "sxyazi/yazi",
  "jhipster/jhipster-sample-app",
  "NLnetLabs/unbound",
  "apache/zookeeper",
]);

/** Returns whether nothing may be learned from a question of a suite about a repository. */
export function isOnlyForJudging({ suite, repository }: Asked): boolean {
  return (suite === "howto" || suite === "settings") && JUDGING.has(repository);
}
