import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("Kotlin: packages, extensions and members without this", async () => {
  const users = await usersIn({
    "src/main/kotlin/app/http/Client.kt": `package app.http
open class Base { fun close() {} }
class Client(val config: Config) : Base() {
    fun get(url: String): Response = Response(config)
    fun stop() { close() }
}
class Config(val limit: Int)
class Response(val config: Config)
fun Response.text(): String = config.toString()
val Client.isOpen: Boolean get() = config.limit > 0
`,
    "src/main/kotlin/app/Main.kt": `package app
import app.http.Client
import app.http.Config
import app.http.text
fun main() {
    val client = Client(Config(limit = 1))
    val response = client.get("x")
    response.text()
    unknown().text()
    client.close()
    listOf(client).map { it.stop() }
    response.config.limit
}
`,
    "src/main/kotlin/app/Other.kt":
      "package app\nimport app.http.*\nfun other(client: Client?) = client?.isOpen\n",
  });
  expect(await users("Client.get")).toEqual(["src/main/kotlin/app/Main.kt:7 call"]);
  expect(await users("Response.text")).toEqual([
    "src/main/kotlin/app/Main.kt:4 import",
    "src/main/kotlin/app/Main.kt:8 call",
    "src/main/kotlin/app/Main.kt:9 call",
  ]);
  expect(await users("Base.close")).toEqual([
    "src/main/kotlin/app/Main.kt:10 call",
    "src/main/kotlin/app/http/Client.kt:5 call",
  ]);
  expect(await users("Config.limit")).toEqual([
    "src/main/kotlin/app/Main.kt:6 value",
    "src/main/kotlin/app/Main.kt:12 value",
    "src/main/kotlin/app/http/Client.kt:10 value",
  ]);
  expect(await users("Client.isOpen")).toEqual(["src/main/kotlin/app/Other.kt:3 value"]);
});

test("C#: namespaces, partial classes and attributes", async () => {
  const users = await usersIn({
    "src/Store.cs": `using System;
namespace App.Stores
{
    public class NamedAttribute : Attribute { }
    public abstract class Base { protected void Notify(string name) { } }
    public partial class Store : Base
    {
        private Item _item;
        public Item Find(string key) { Notify(key); return _item; }
    }
    public class Item { public string Name { get; set; } }
}
`,
    "src/Store.Async.cs": `namespace App.Stores
{
    public partial class Store { public Item Load() { return this.Find("x") ?? _item; } }
}
`,
    "src/Other.cs": "namespace App.Others { class Item { public string Name; } }\n",
    "test/StoreTests.cs": `using App.Stores;
namespace App.Tests
{
    [Named]
    class StoreTests
    {
        void Run() { var store = new Store(); store.Load().Name = "a"; new Item { Name = "b" }; }
    }
}
`,
  });
  expect(await users("NamedAttribute")).toEqual(["test/StoreTests.cs:4 call"]);
  expect(await users("Item", "src/Store.cs")).toEqual([
    "src/Store.Async.cs:3 type",
    "src/Store.cs:8 type",
    "src/Store.cs:9 type",
    "test/StoreTests.cs:7 call",
  ]);
  expect(await users("Item", "src/Other.cs")).toEqual([]);
  expect(await users("Item.Name", "src/Store.cs")).toEqual(["test/StoreTests.cs:7 value"]);
  expect(await users("Store._item")).toEqual([
    "src/Store.Async.cs:3 value",
    "src/Store.cs:9 value",
  ]);
  expect(await users("Base.Notify")).toEqual(["src/Store.cs:9 call"]);
});

test("PHP: classes by namespace, traits and functions", async () => {
  const users = await usersIn({
    "composer.json": '{"autoload":{"psr-4":{"App\\\\":"src/"}}}',
    "src/Logger.php": `<?php
namespace App;
class Logger { public const MAX = 1; public static function make(): static { return new static(); }
  public function log(string $text): void {} }
`,
    "src/Other/Logger.php":
      "<?php\nnamespace App\\Other;\nclass Logger { public function log() {} }\n",
    "src/Formats.php": "<?php\nnamespace App;\ntrait Formats { protected function format() {} }\n",
    "src/Handler.php": `<?php
namespace App;
class Handler {
  use Formats;
  public function __construct(private Logger $logger) {}
  public function run(Other\\Logger $other, $unknown) {
    $this->logger->log($this->format());
    Logger::make()->log(Logger::MAX);
    $unknown->log();
  }
}
`,
  });
  expect(await users("Logger.log", "src/Logger.php")).toEqual([
    "src/Handler.php:7 call",
    "src/Handler.php:8 call",
    "src/Handler.php:9 call ?",
  ]);
  expect(await users("Formats.format")).toEqual(["src/Handler.php:7 call"]);
  expect(await users("Formats")).toEqual(["src/Handler.php:4 inherit"]);
  expect(await users("Logger.MAX")).toEqual(["src/Handler.php:8 value"]);
});

test("Ruby: modules reopened in other files, mixins and accessors", async () => {
  const users = await usersIn({
    "lib/app.rb": 'require "app/store"\nmodule App\n  def self.start = Store.new.load\nend\n',
    "lib/app/store.rb": `module App
  class Store < Base
    include Helpers
    attr_reader :items
    def load
      helper
      close
      items
    end
  end
end
`,
    "lib/app/base.rb": "module App\n  class Base\n    def close; end\n  end\nend\n",
    "lib/app/helpers.rb": "module App\n  module Helpers\n    def helper; end\n  end\nend\n",
    "test/store_test.rb":
      "store = App::Store.new\nstore.items\ndef run(unknown) = unknown.helper\nArray.new\n",
  });
  expect(await users("App.Store.load")).toEqual(["lib/app.rb:3 call"]);
  expect(await users("App.Helpers.helper")).toEqual([
    "lib/app/store.rb:6 call",
    "test/store_test.rb:3 call ?",
  ]);
  expect(await users("App.Base.close")).toEqual(["lib/app/store.rb:7 call"]);
  expect(await users("App.Store.items")).toEqual([
    "lib/app/store.rb:8 call",
    "test/store_test.rb:2 call",
  ]);
  expect(await users("App.Store")).toEqual(["lib/app.rb:3 call", "test/store_test.rb:1 call"]);
});

test("PHP: names in full, functions of namespaces, and types of properties in comments", async () => {
  const users = await usersIn({
    "composer.json": '{"autoload":{"psr-4":{"App\\\\":"src/"}}}',
    "src/functions.php":
      "<?php\nnamespace App;\nfunction encode($value) { return json_encode($value); }\nfunction trim($text) {}\n",
    "src/Cookies/Jar.php":
      "<?php\nnamespace App\\Cookies;\nclass Jar { public function clear() {} }\n",
    "src/Client.php": `<?php
namespace App\\Http;
use App;
class Client {
    /** @var \\App\\Cookies\\Jar|null All cookies. */
    private $jar;
    /** @var \\App\\Cookies\\Jar[] */
    private $jars = [];
    public function run() {
        $this->jar->clear();
        foreach ($this->jars as $one) { $one->clear(); }
        \\App\\encode(1);
        App\\encode(2);
        trim("a");
        return \\App\\Cookies\\Jar::class;
    }
}
`,
  });
  expect(await users("Jar.clear")).toEqual(["src/Client.php:10 call", "src/Client.php:11 call"]);
  expect(await users("Jar")).toEqual(["src/Client.php:15 value"]);
  expect(await users("encode")).toEqual(["src/Client.php:12 call", "src/Client.php:13 call"]);
  expect(await users("trim")).toEqual([]);
});

test("PHP: a property and a method of one name, and values after `??`", async () => {
  const users = await usersIn({
    "src/Row.php": `<?php
class Row {
    private $wide;
    public function wide($wide) { $this->wide = $wide; return $this; }
    public function show() {}
    public static function make(): Row { return new Row(); }
}
function run($row) {
    $given = Row::make() ?? new Row();
    $given->wide(1);
    $given->show();
}
`,
  });
  expect(await users("Row.wide", { at: 0 })).toEqual(["src/Row.php:4 value"]);
  expect(await users("Row.wide", { at: 1 })).toEqual(["src/Row.php:10 call"]);
  expect(await users("Row.show")).toEqual(["src/Row.php:11 call"]);
});

test("Python: names in the text of a type are uses", async () => {
  const users = await usersIn({
    "app/__init__.py": "",
    "app/base.py": "class Store:\n    def open(self): ...\n",
    "app/main.py": `import typing as t
if t.TYPE_CHECKING:
    from .base import Store as Base

def run(one: "Base", many: dict[str, t.Optional["Base"]], kind: t.Literal["Base"]) -> "Base | None":
    one.open()
    return one if "Base" in many else None

def again() -> None:
    run().open()
`,
  });
  expect(await users("Store")).toEqual(["app/main.py:3 import", "app/main.py:5 type"]);
  expect(await users("Store.open")).toEqual(["app/main.py:6 call", "app/main.py:10 call"]);
});

test("Kotlin: enum and annotation classes after an annotation", async () => {
  const users = await usersIn({
    "src/Kinds.kt": `package app

@Retention(RUNTIME)
annotation class Marked

class Holder {
    @Marked
    enum class Kind { ONE, TWO }

    fun first(): Kind = Kind.ONE
}
`,
  });
  expect(await users("Marked")).toEqual(["src/Kinds.kt:7 call"]);
  expect(await users("Holder.Kind.ONE")).toEqual(["src/Kinds.kt:10 value"]);
});

test("Python: lists of exports, imported aliases of base classes, typing's containers and Self", async () => {
  const users = await usersIn({
    "app/__init__.py": `__all__ = ["Flow", "start"]
from .base import Flow, start
`,
    "app/base.py": `import typing as t
from collections import abc as cabc

class Flow:
    def steps(self) -> t.Generator["Step", None, None]: ...
    def rest(self) -> cabc.Iterator["Step"]: ...
    @classmethod
    def make(cls) -> t.Self: ...
    def stop(self) -> None: ...

class Step:
    def run(self) -> None: ...

def start() -> None: ...
`,
    "app/own.py": `import typing as t
from .base import Flow as BaseFlow

class Flow(BaseFlow):
    def again(self):
        self.stop()

def use(flow: Flow, value):
    flow.stop()
    next(flow.steps()).run()
    for step in sorted(flow.rest()):
        step.run()
    Flow.make().stop()
    t.cast(Flow, value).stop()
    flow.steps().send(1).run()
`,
  });
  expect(await users("start")).toEqual(["app/__init__.py:1 import", "app/__init__.py:2 import"]);
  expect(await users("Flow.stop")).toEqual([
    "app/own.py:6 call",
    "app/own.py:9 call",
    "app/own.py:13 call",
    "app/own.py:14 call",
  ]);
  expect(await users("Step.run")).toEqual([
    "app/own.py:10 call",
    "app/own.py:12 call",
    "app/own.py:15 call",
  ]);
});
