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

test("Ruby: collections have elements of what is added, and objects with each are collections", async () => {
  const users = await usersIn({
    "lib/store.rb": STORE,
    "lib/table.rb": `class Table
  include Enumerable
  attr_reader :rows
  def initialize
    @rows = []
    @stores = {}
  end
  def add
    @rows << App::Row.new
    @stores[:a] = App::Store.new
  end
  def each(&block)
    @rows.each(&block)
  end
  def close
    @stores.each { |name, store| store.close }
    @stores[:a].open
  end
end
class Sheet
  attr_accessor :store
  class Part < self
    def run
      store.size
    end
  end
end
table = Table.new
table.rows.first.show
table.each { |row| row.title }
table.find { |row| row.new? }.title
sheet = Sheet.new
sheet.store = App::Store.new
class Names
  def <<(name); end
end
names = Names.new
names << "a"
other << "b"
`,
  });
  expect(await users("App.Row.show")).toEqual(["lib/table.rb:29 call"]);
  expect(await users("App.Row.title")).toEqual(["lib/table.rb:30 call", "lib/table.rb:31 call"]);
  expect(await users("App.Store.close")).toEqual(["lib/table.rb:16 call"]);
  expect(await users("App.Store.open")).toEqual(["lib/table.rb:17 call"]);
  expect(await users("Names.<<")).toEqual(["lib/table.rb:38 call"]);
});
