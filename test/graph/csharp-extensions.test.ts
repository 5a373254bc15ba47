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

test("a namespace that the project uses everywhere is visible in all of its files", async () => {
  const users = await usersIn({
    "src/App/GlobalUsings.cs": "global using App.Events;\n",
    "src/App/Events/LogEvent.cs": `namespace App.Events;
public class LogEvent { public void Add(string name) { } }
public static class LogEvents { public static void Write(this LogEvent e) { } }
`,
    "src/App/Core/Logger.cs": `namespace App.Core;
class Logger
{
    void Log(LogEvent e) { e.Add("a"); e.Write(); }
}
`,
    "src/Other/Core/Logger.cs": `namespace Other.Core;
class Logger { void Log(LogEvent e) { e.Add("a"); } }
`,
  });
  expect(await users("LogEvent.Add")).toEqual([
    "src/App/Core/Logger.cs:4 call",
    "src/Other/Core/Logger.cs:2 call ?",
  ]);
  expect(await users("LogEvents.Write")).toEqual(["src/App/Core/Logger.cs:4 call"]);
});
