# SVC_FACTS=facts.tsv SVC_FILES=REGEXP ruby -r oracles/ruby_calls.rb TESTS.rb
# What the methods of a project call while its tests run, in the format of compiled-facts.ts. A call counts where its line
# has the name of the method. Lines on which no method of the name was called are not judged, nor are names that are twice
# on their line, nor calls of a sibling: another class's method that overrides the same one.
ROOT = File.realpath(Dir.pwd)
FILES = Regexp.new(ENV.fetch("SVC_FILES"))
CALLS = {}
RUN = {}
OWNERS = {}
TEXTS = Hash.new do |texts, path|
  local = path.start_with?("#{ROOT}/") && path.delete_prefix("#{ROOT}/")
  texts[path] = local && FILES.match?(local) && File.file?(path) ? [local, File.readlines(path, chomp: true)] : false
end

def word(name) = /(?<![\w@$:.?!])#{Regexp.escape(name)}(?![\w?!])|(?<=\.)#{Regexp.escape(name)}(?![\w?!])/

def note(trace, frame)
  return if frame.nil?
  name = trace.method_id.to_s
  # `new` calls `initialize` from C.
  key = [frame.path, frame.lineno, name, trace.event == :call ? trace.path : nil, trace.event == :call ? trace.lineno : nil]
  return if CALLS.key?(key)
  CALLS[key] = trace.event == :call ? trace.defined_class : nil
end

TRACE = TracePoint.new(:call, :c_call) do |trace|
  frame = caller_locations(trace.event == :call ? 2 : 1, 1)&.first
  note(trace, frame)
end

at_exit do
  TRACE.disable
  defined = {}
  uses = Hash.new { |all, key| all[key] = [] }
  CALLS.each do |(path, line, name, to, at), owner|
    local, lines = TEXTS[path]
    text = local ? lines[line - 1] : nil
    plain = name.delete_suffix("=")
    next unless text&.match?(word(plain))
    RUN[[local, line, plain]] = true
    there, definitions = to ? TEXTS[to] : nil
    next unless there && definitions[at - 1].match?(/\bdef\s+(?:self\.)?#{Regexp.escape(name)}(?![\w?!=])/)
    key = "#{there}:#{at}:#{name}"
    defined[key] ||= [there, at, name, owner]
    uses[key] << [local, line, text.index(word(plain)) + 1]
  end
  File.open(ENV.fetch("SVC_FACTS"), "w") do |out|
    overridden = Hash.new { |all, key| all[key] = [] }
    defined.each do |key, (path, line, name, owner)|
      kind = owner.equal?(Object) ? "function" : "method"
      column = TEXTS["#{ROOT}/#{path}"][1][line - 1].index(word(name)) + 1
      out.puts(["definition", key, kind, name, owner.name || "", "#{path}:#{line}:#{column}"].join("\t"))
      uses[key].uniq.each { |place| out.puts(["use", key, place.join(":")].join("\t")) }
      owner.ancestors.drop(1).each do |above|
        next unless above.method_defined?(name, false) || above.private_method_defined?(name, false)
        from, at = above.instance_method(name).source_location
        there, = from ? TEXTS[from] : false
        other = "#{there}:#{at}:#{name}"
        next if !there || other == key
        overridden[key] |= [other]
        out.puts(["overrides", key, other].join("\t"))
      end
    end
    siblings = overridden.flat_map { |key, bases| bases.map { |base| [base, key] } }.group_by(&:first)
    siblings.each_value do |pairs|
      keys = pairs.map(&:last)
      keys.permutation(2) { |one, other| uses[other].uniq.each { |place| out.puts(["unjudged", one, place.join(":")].join("\t")) } } if keys.size < 100
    end
    names = defined.values.map { |one| one[2].delete_suffix("=") }.uniq
    words = names.to_h { |name| [name, word(name)] }
    Dir.glob("**/*.rb", base: ROOT).each do |path|
      local, lines = TEXTS["#{ROOT}/#{path}"]
      next unless local
      lines.each_with_index do |text, at|
        text.scan(/\w+[?!]?/).tally.each do |name, count|
          next if words[name].nil? || (count == 1 && RUN[[local, at + 1, name]])
          out.puts(["unknown", name, "#{local}:#{at + 1}:#{(text.index(words[name]) || 0) + 1}"].join("\t"))
        end
      end
    end
  end
end

TRACE.enable
