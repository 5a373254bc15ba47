# elixir oracles/elixir_calls.exs LIB... : from the root of a project that needs no libraries
# What the compiler of Elixir calls in the files below the folders, in the format of compiled-facts.ts. A call counts where its
# line has the name of the function. Names in code of `quote` and in types are not judged: the compiler reports them
# elsewhere, or not at all.
defmodule Tracer do
  @kinds [
    :remote_function,
    :remote_macro,
    :imported_function,
    :imported_macro,
    :local_function,
    :local_macro
  ]

  def trace({kind, meta, module, name, _arity}, env) when kind in @kinds,
    do: note(meta, module, name, env)

  def trace({kind, meta, name, _arity}, env) when kind in @kinds,
    do: note(meta, env.module, name, env)

  def trace(_, _), do: :ok

  defp note(meta, module, name, env) do
    if line = meta[:line], do: send(:facts, {Path.relative_to_cwd(env.file), line, module, name})
    :ok
  end
end

defmodule Definitions do
  @definers [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp]
  @types [:spec, :callback, :macrocallback, :type, :typep, :opaque]

  # {:definition, line, module, name} and {:unknown, line, name}, of a file.
  def of(text) do
    {:ok, tree} = Code.string_to_quoted(text)
    walk(tree, nil, [])
  end

  defp walk({:defmodule, _, [name, body]}, around, facts), do: walk(body, inside(around, name), facts)
  defp walk({:quote, _, body}, _, facts), do: facts ++ unknown(body)

  defp walk({:@, _, [{type, _, body}]}, _, facts) when type in @types, do: facts ++ unknown(body)

  defp walk({definer, _, [head | body]}, module, facts) when definer in @definers do
    found =
      case head_of(head) do
        {name, meta, arguments} when is_atom(name) ->
          walk(arguments, module, [{:definition, meta[:line], module, name}])

        _ ->
          []
      end

    walk(body, module, facts ++ found)
  end

  defp walk({one, _, many}, module, facts), do: walk(many, module, walk(one, module, facts))
  defp walk({one, other}, module, facts), do: walk(other, module, walk(one, module, facts))
  defp walk(list, module, facts) when is_list(list), do: Enum.reduce(list, facts, &walk(&1, module, &2))
  defp walk(_, _, facts), do: facts

  defp head_of({:when, _, [head | _]}), do: head
  defp head_of(head), do: head

  defp inside(around, {:__aliases__, _, parts}), do: Module.concat([around | parts])
  defp inside(around, _), do: around

  defp unknown(tree) do
    {_, found} =
      Macro.prewalk(tree, [], fn
        {{:., _, [_, name]}, meta, _} = node, found when is_atom(name) -> {node, [{:unknown, meta[:line], name} | found]}
        {name, meta, _} = node, found when is_atom(name) -> {node, [{:unknown, meta[:line], name} | found]}
        node, found -> {node, found}
      end)

    found
  end
end

defmodule Facts do
  def column(lines, line, name) do
    text = Enum.at(lines, line - 1) || ""

    case Regex.run(~r/(?<![\w@:])#{Regex.escape(Atom.to_string(name))}(?![\w?!:])/, text, return: :index) do
      [{at, _} | _] -> at + 1
      nil -> nil
    end
  end

  def drain(found) do
    receive do
      fact -> drain([fact | found])
    after
      0 -> found
    end
  end
end

files = System.argv() |> Enum.flat_map(&Path.wildcard("#{&1}/**/*.ex")) |> Enum.sort()
texts = Map.new(files, &{&1, File.read!(&1)})
lines = Map.new(texts, fn {file, text} -> {file, String.split(text, "\n")} end)
definitions = Enum.flat_map(files, fn file -> Enum.map(Definitions.of(texts[file]), &{file, &1}) end)

Process.register(self(), :facts)
Mix.start()
Code.put_compiler_option(:tracers, [Tracer])
{:ok, _, _} = Kernel.ParallelCompiler.compile(files)

for {file, {:definition, line, module, name}} <- definitions,
    module != nil,
    column = Facts.column(lines[file], line, name) do
  key = "#{inspect(module)}.#{name}"
  ["definition", key, "function", name, inspect(module), "#{file}:#{line}:#{column}"]
end
|> Enum.uniq()
|> Kernel.++(
  for {file, line, module, name} <- Facts.drain([]),
      Map.has_key?(lines, file),
      column = Facts.column(lines[file], line, name) do
    ["use", "#{inspect(module)}.#{name}", "#{file}:#{line}:#{column}"]
  end
)
|> Kernel.++(
  for {file, {:unknown, line, name}} <- definitions,
      line != nil,
      column = Facts.column(lines[file], line, name) do
    ["unknown", name, "#{file}:#{line}:#{column}"]
  end
)
|> Enum.uniq()
|> Enum.each(&IO.puts(Enum.join(&1, "\t")))
