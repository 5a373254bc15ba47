import { providerError } from "./provider-client.ts";

/** Of more than these it is not said which they are; nor of what is no name. */
const MAX_NAMED = 5;
const NAME = /^[\w.:/@+-]{1,60}$/;

/** Names of the models in an answer of GET /models. Throws PROVIDER_ERROR for what is no such answer. */
export function parseModels(response: unknown): readonly string[] {
  const list =
    typeof response === "object" && response !== null && "data" in response && response.data;
  if (!Array.isArray(list)) throw providerError("answers with something that is no list of models");
  return list.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "id" in one && typeof one.id === "string"
      ? [one.id]
      : [],
  );
}

/** The one there is. Throws PROVIDER_ERROR where there is a choice, or none. */
export function onlyModel(models: readonly string[]): string {
  const [model] = models;
  if (model === undefined) throw providerError("has no model");
  if (models.length === 1) return model;
  const areNamed = models.length <= MAX_NAMED && models.every((name) => NAME.test(name));
  const some = areNamed ? ` (${models.join(", ")})` : "";
  throw providerError(
    `has ${models.length} models${some}: \`svc serve --provider-model NAME\` chooses one`,
  );
}
