import { failed } from "./wire.ts";

/** Of more than these it is not said which they are; nor of what is no name. */
const NAMED = 5;
const NAME = /^[\w.:/@+-]{1,60}$/;

/** Names of the models in an answer of GET /models. Throws PROVIDER_ERROR for what is no such answer. */
export function readModels(answer: unknown): readonly string[] {
  const list = typeof answer === "object" && answer !== null && "data" in answer && answer.data;
  if (!Array.isArray(list)) throw failed("answers with something that is no list of models");
  return list.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "id" in one && typeof one.id === "string"
      ? [one.id]
      : [],
  );
}

/** The one there is. Throws PROVIDER_ERROR where there is a choice, or none. */
export function onlyModel(models: readonly string[]): string {
  const [model] = models;
  if (model === undefined) throw failed("has no model");
  if (models.length === 1) return model;
  const areTold = models.length <= NAMED && models.every((name) => NAME.test(name));
  const some = areTold ? ` (${models.join(", ")})` : "";
  throw failed(
    `has ${models.length} models${some}: \`svc serve --provider-model NAME\` chooses one`,
  );
}
