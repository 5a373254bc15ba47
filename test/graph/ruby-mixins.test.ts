import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const MODULES = `module Logging
  def log; end
end
module Tracked
  def self.included(base)
    base.extend(Macros)
  end
  module Macros
    def track; end
  end
end
module Cached
  module ClassMethods
    def cache; end
  end
end
module Filters
  def shorten; end
end
`;

test("modules that code adds to a class from outside give it their methods", async () => {
  const users = await usersIn({
    "lib/modules.rb": MODULES,
    "lib/session.rb": `class Session
  include Tracked
  include Cached
  track
  cache
  def self.add(filter)
    include(filter)
  end
end
Session.include(Logging)
Session.add(Filters)
class Other
  def log; end
  def shorten; end
  def self.track; end
  def self.cache; end
end
`,
    "lib/main.rb": `Session.new.log
Session.new.shorten
Other.new.log
Other.new.shorten
`,
  });
  expect(await users("Logging.log")).toEqual(["lib/main.rb:1 call"]);
  expect(await users("Filters.shorten")).toEqual(["lib/main.rb:2 call"]);
  expect(await users("Tracked.Macros.track")).toEqual(["lib/session.rb:4 call"]);
  expect(await users("Cached.ClassMethods.cache")).toEqual(["lib/session.rb:5 call"]);
});

test("what is added to one object gives its class nothing", async () => {
  const users = await usersIn({
    "lib/modules.rb": MODULES,
    "lib/session.rb": "class Session\n  def open; end\nend\n",
    "lib/main.rb": `one = Session.new
one.extend(Logging)
Session.new.extend(Filters)
one.singleton_class.include(Tracked::Macros)
Session.new.log
Session.new.shorten
Session.new.track
`,
  });
  for (const method of ["Logging.log", "Filters.shorten", "Tracked.Macros.track"]) {
    // oxlint-disable-next-line no-await-in-loop -- a graph answers one question after the other
    expect([method, await users(method)]).toEqual([method, []]);
  }
});

test("a class includes a module of its own, of the same name as another one", async () => {
  const users = await usersIn({
    "lib/helpers.rb": `module Helpers
  def help; end
end
`,
    "lib/page.rb": `class Page
  module Helpers
    def help; end
  end
  include Helpers
end
Page.new.help
`,
  });
  expect(await users("Page.Helpers.help")).toEqual(["lib/page.rb:7 call"]);
  expect(await users("Helpers.help")).toEqual([]);
});
