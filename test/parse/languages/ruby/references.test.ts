import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in Ruby", () => {
  it("include constants, methods and members", async () => {
    const source = `require "rack"
require_relative "../base/log"
require_relative "util"
module App
  class Store < Rack::Base
    include Helpers
    extend Other::Tools
    attr_reader :name
    LIMIT = 3
    def initialize(app = nil, *args, key:, opt: LIMIT, &block)
      super()
      @queue = Queue.new(LIMIT)
      @name ||= "x"
    end
    def call(env)
      helper
      other 1, :sym
      @queue.push(env) { |job, (a, b)| job + a + b }
      self.name
      x = y = build(env)
      x.go unless y
      [1].each { |i| i }
      self.class.run
    rescue ArgumentError, Foo::Bar => error
      error.message
    end
    def self.build(path) = Request.new(path)
    private
    def helper; end
  end
end
App::Store.build("x").path
`;
    expect(await usesIn("ruby", source)).toEqual([
      "5 value Rack in App.Store",
      "5 inherit Rack.Base in App.Store",
      "6 inherit Helpers in App.Store",
      "7 value Other in App.Store",
      "7 inherit Other.Tools in App.Store",
      "10 value LIMIT -> App.Store.LIMIT in App.Store.initialize",
      "12 value #1.@queue in App.Store.initialize",
      "12 call Queue in App.Store.initialize",
      "12 value LIMIT -> App.Store.LIMIT in App.Store.initialize",
      "13 value #1.name in App.Store.initialize",
      "16 call helper -> App.Store.helper in App.Store.call",
      "17 call other in App.Store.call",
      "18 value #1.@queue in App.Store.call",
      "18 call @Queue.push in App.Store.call",
      "19 call #1.name in App.Store.call",
      "20 call build -> App.Store.build in App.Store.call",
      "21 call #1.build().go in App.Store.call",
      "22 call @Integer*.each in App.Store.call",
      "23 call #1.class in App.Store.call",
      "23 call #1.class().run in App.Store.call",
      "24 value ArgumentError in App.Store.call",
      "24 value Foo in App.Store.call",
      "24 value Foo.Bar in App.Store.call",
      "25 call @ArgumentError;@Foo.Bar.message in App.Store.call",
      "27 call Request in App.Store.build",
      "32 value App -> App",
      "32 value App.Store",
      "32 call App.Store.build",
      "32 call App.Store.build().path",
    ]);
    expect(await typesIn("ruby", source)).toEqual([
      "App.Store.name @String",
      "App.Store.LIMIT @Integer",
      "App.Store.initialize @String",
      "App.Store.call #1.class().run()",
      "App.Store.build @Request",
    ]);
    expect(await importsIn("ruby", source)).toEqual([
      "1 rack wildcard",
      "2 ../base/log wildcard",
      "3 ./util wildcard",
    ]);
  });
});
