import { providerError } from "./provider-client.ts";

/** Errors list the models only up to this number, and only if all of them look like names. */
const MAX_NAMED = 5;
const NAME = /^[\w.:/@+-]{1,60}$/;

/** Returns the model names in a response of GET /models. Throws PROVIDER_ERROR for any other response. */
export function parseModels(response: unknown): readonly string[] {
  const list =
    typeof response === "object" && response !== null && "data" in response && response.data;
  if (!Array.isArray(list)) throw providerError("returned something other than a list of models");
  return list.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "id" in one && typeof one.id === "string"
      ? [one.id]
      : [],
  );
}

/** Returns the only model. Throws PROVIDER_ERROR when there are several or none. */
export function onlyModel(models: readonly string[]): string {
  const [model] = models;
  if (model === undefined) throw providerError("has no model");
  if (models.length === 1) return model;
  const areNamed = models.length <= MAX_NAMED && models.every((name) => NAME.test(name));
  const some = areNamed ? ` (${models.join(", ")})` : "";
  throw providerError(
    `has ${models.length} models${some}; choose one with \`svc serve --provider-model NAME\``,
  );
}
