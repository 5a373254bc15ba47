import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a call of an extension method leads to that of the receiver's type in a visible namespace", async () => {
  const users = await usersIn({
    "src/Text.cs": `namespace App.Text
{
    public static class Texts
    {
        public static string Encode(this string text) { return text; }
        public static string Encode(this Url url) { return ""; }
        public static bool IsShort(this string text) { return true; }
    }
    public class Url { }
}
`,
    "src/Main.cs": `using App.Text;
namespace App
{
    class Main
    {
        void Run(string text, Url url, Unknown other)
        {
            text.Encode();
            url.Encode();
            other.Load().IsShort();
        }
    }
}
`,
    "src/Other.cs": `namespace Other
{
    class Main { void Run(string text) { text.IsShort(); } }
}
`,
  });
  expect(await users("Texts.IsShort")).toEqual(["src/Main.cs:10 call"]);
  expect(await users("Texts.Encode")).toEqual(["src/Main.cs:8 call", "src/Main.cs:9 call"]);
});
