import { expect, test } from "vitest";

import { CLIENTS } from "../../src/clients/definitions.ts";
import { requireClient } from "../../src/clients/find-client.ts";

test("every client is found by its id, in any case", () => {
  for (const client of CLIENTS) {
    expect(requireClient(client.id)).toBe(client);
    expect(requireClient(client.id.toUpperCase())).toBe(client);
  }
});

function failure(id: string): unknown {
  try {
    return requireClient(id);
  } catch (thrown) {
    return thrown;
  }
}

test("an unknown id is refused with the closest one and all others", () => {
  const hint = `Known clients: ${CLIENTS.map(({ id }) => id).join(", ")}.`;
  expect(failure("crusor")).toMatchObject({
    code: "USAGE",
    message: 'Unknown client "crusor".',
    hint: `Did you mean cursor? ${hint}`,
  });
  expect(failure("qqqqqqq")).toMatchObject({ hint });
});
