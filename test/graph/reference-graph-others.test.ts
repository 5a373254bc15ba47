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
