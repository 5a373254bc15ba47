import { readFileSync } from "node:fs";
import { test } from "vitest";
import { usesIn } from "./parse/references/reference-lines.ts";
test("x", async () => {
  const show = async (f: string, ...lines: number[]) => console.log((await usesIn("csharp", readFileSync("/tmp/refs-cache/trees/restsharp-81252a6b91/" + f, "utf8"))).filter((l) => lines.includes(parseInt(l))).join("\n"));
  await show("RestSharp/Authenticators/OAuth1Authenticator.cs", 82);
  await show("RestSharp/Http.cs", 300, 46, 454);
  await show("RestSharp/RestClient.cs", 416, 519, 241, 270);
  await show("RestSharp/RestClient.Async.cs", 85, 282);
  await show("RestSharp.Tests/StringExtensionsTests.cs", 20);
  await show("RestSharp/Serializers/SerializeAsAttribute.cs", 77);
  await show("RestSharp/HttpResponse.cs", 97);
});
