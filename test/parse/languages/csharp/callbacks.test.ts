import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("a parameter of a lambda has the type that the called method declares for it", async () => {
  const users = await usersIn({
    "src/Base.cs": `namespace App
{
    public class Module { public string Name; public string Id; public string Key; }
    public class Fixture
    {
        public static void With(string file, Action<Module> test, bool verify = true) { }
        public R Map<T, R>(Func<T, Module, R> map) { return default(R); }
        public void Search(Expression<Func<Module, bool>> filter) { }
        public void Other(Func<string, Module> make) { }
    }
}
`,
    "src/Tests.cs": `namespace App
{
    public class Tests : Fixture
    {
        public void Run(Fixture fixture)
        {
            With("a", module => Print(module.Name));
            fixture.Map((one, two) => two.Id);
            fixture.Search(module => module.Key == "");
            fixture.Other(text => text.Name);
            With("b", verify: module => module.Name);
        }
    }
}
`,
  });
  expect(await users("Module.Name")).toEqual([
    "src/Tests.cs:7 value",
    "src/Tests.cs:10 value ?",
    "src/Tests.cs:11 value ?",
  ]);
  expect(await users("Module.Id")).toEqual(["src/Tests.cs:8 value"]);
  expect(await users("Module.Key")).toEqual(["src/Tests.cs:9 value"]);
});
