import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const STORE = `module App
  class Store
    def open; end
    def close; end
    def size; end
    def label=(text); end
    def each_row
      yield Row.new
    end
  end
  class Row
    attr_accessor :title
    def show; end
  end
end
`;

test("Ruby: parameters and instance variables have the types of what is passed and assigned", async () => {
  const users = await usersIn({
    "lib/store.rb": STORE,
    "lib/main.rb": `module App
  class Main
    def initialize(store, size: nil)
      @store = store
    end
    def run
      @store.open
      help(@store)
      again(with: @store)
    end
    def help(given)
      given.close
    end
    def again(with:)
      with.size
    end
    def lost(unknown)
      unknown.close
    end
  end
  class Sub < Main
    def stop
      @store.close
    end
  end
end
App::Main.new(App::Store.new)
`,
  });
  expect(await users("App.Store.open")).toEqual(["lib/main.rb:7 call"]);
  expect(await users("App.Store.close")).toEqual([
    "lib/main.rb:12 call",
    "lib/main.rb:18 call ?",
    "lib/main.rb:23 call",
  ]);
  expect(await users("App.Store.size")).toEqual(["lib/main.rb:15 call"]);
});

test("Ruby: values of branches, blocks and setters", async () => {
  const users = await usersIn({
    "lib/store.rb": STORE,
    "lib/main.rb": `class App::Other
  def open; end
end
class Main < App::Other
  Renamed = App::Store
  def either(flag)
    return App::Other.new if flag == 1
    if flag
      build(flag) || Renamed.new
    else
      nil
    end
  ensure
    flag
  end
  def run
    either(true).open
    App::Store.new.each_row { |row| row.show }
    store = App::Store.new
    store.label = "x"
    store.instance_eval { close }
    row = App::Row.new
    row.title = "y"
    row.title
    open
  end
end
`,
  });
  expect(await users("App.Store.open")).toEqual(["lib/main.rb:17 call"]);
  expect(await users("App.Other.open")).toEqual(["lib/main.rb:17 call", "lib/main.rb:25 call"]);
  expect(await users("App.Row.show")).toEqual(["lib/main.rb:18 call"]);
  expect(await users("App.Store.label=")).toEqual(["lib/main.rb:20 call"]);
  expect(await users("App.Store.close")).toEqual(["lib/main.rb:21 call"]);
  expect(await users("App.Row.title")).toEqual(["lib/main.rb:23 call", "lib/main.rb:24 call"]);
});
