// mono CSharpReferences.exe ROOT FILES SYMBOLS > facts.tsv
// The definitions in the files FILES (a regular expression) of ROOT, and what each name there refers to, from NRefactory 5,
// the compiler front end of MonoDevelop, in the format of compiled-facts.ts. It knows C# 5. SYMBOLS are those of `#if`;
// names in code that is left out are unknown. Overloads are one definition, and so are the parts of a class.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using ICSharpCode.NRefactory;
using ICSharpCode.NRefactory.CSharp;
using ICSharpCode.NRefactory.CSharp.Resolver;
using ICSharpCode.NRefactory.CSharp.TypeSystem;
using ICSharpCode.NRefactory.Semantics;
using ICSharpCode.NRefactory.TypeSystem;

static class CSharpReferences
{
    static readonly string[] Assemblies = { "mscorlib", "System", "System.Core", "System.Xml", "System.Xml.Linq", "System.Data", "System.Web", "System.Runtime.Serialization", "System.Numerics", "Microsoft.CSharp" };
    static readonly TextWriter output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    static readonly HashSet<string> defined = new HashSet<string>();

    static void Main(string[] words)
    {
        string root = Path.GetFullPath(words[0]);
        var settings = new CompilerSettings();
        foreach (string symbol in words[2].Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries)) settings.ConditionalSymbols.Add(symbol);
        var trees = new List<SyntaxTree>();
        foreach (string file in Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories).OrderBy(one => one, StringComparer.Ordinal)) {
            string path = file.Substring(root.Length + 1);
            if (Regex.IsMatch(path, words[1])) trees.Add(new CSharpParser(settings).Parse(File.ReadAllText(file), path));
        }
        IProjectContent project = new CSharpProjectContent().SetAssemblyName("main");
        project = project.AddAssemblyReferences(Assemblies.Select(one => new CecilLoader().LoadAssemblyFile("/usr/lib/mono/4.5-api/" + one + ".dll")));
        var files = trees.ToDictionary(tree => tree, tree => tree.ToTypeSystem());
        project = project.AddOrUpdateFiles(files.Values);
        ICompilation compilation = project.CreateCompilation();
        var resolvers = trees.ToDictionary(tree => tree, tree => new CSharpAstResolver(compilation, tree, files[tree]));
        foreach (SyntaxTree tree in trees) foreach (AstNode node in tree.Descendants) Define(resolvers[tree], node, tree.FileName);
        foreach (SyntaxTree tree in trees) foreach (AstNode node in tree.Descendants) Note(resolvers[tree], node, tree.FileName);
        output.Flush();
    }

    static void Define(CSharpAstResolver resolver, AstNode node, string path)
    {
        Identifier name = NameOfDefinition(node);
        if (name == null || name.IsNull || name.Name == "") return;
        ResolveResult result = resolver.Resolve(node);
        var member = result is MemberResolveResult ? ((MemberResolveResult)result).Member : null;
        IType type = member == null ? result.Type : null;
        if (member == null && !(result is TypeResolveResult)) return;
        ITypeDefinition owner = member != null ? member.DeclaringTypeDefinition : type.GetDefinition().DeclaringTypeDefinition;
        string key = member != null ? KeyOf(member) : KeyOf(type);
        defined.Add(key);
        Print("definition", key, KindOf(member, type, owner), name.Name, owner == null ? "" : owner.Name, PlaceOf(path, name));
        if (member == null) return;
        foreach (IMember above in ICSharpCode.NRefactory.TypeSystem.InheritanceHelper.GetBaseMembers(member, true)) {
            if (KeyOf(above) != key) Print("overrides", key, KeyOf(above));
        }
    }

    static Identifier NameOfDefinition(AstNode node)
    {
        if (node is VariableInitializer) return node.Parent is FieldDeclaration || node.Parent is EventDeclaration ? ((VariableInitializer)node).NameToken : null;
        if (node is ConstructorDeclaration || node is DestructorDeclaration || node is OperatorDeclaration || node is IndexerDeclaration || node is Accessor) return null;
        return node is EntityDeclaration && !(node is FieldDeclaration || node is EventDeclaration) ? ((EntityDeclaration)node).NameToken : null;
    }

    static string KindOf(IMember member, IType type, ITypeDefinition owner)
    {
        if (type != null) {
            if (type.Kind == TypeKind.Enum) return "enum";
            if (type.Kind == TypeKind.Interface) return "interface";
            return type.Kind == TypeKind.Delegate ? "type" : owner == null ? "class" : "nested class";
        }
        if (owner.Kind == TypeKind.Enum) return "enum constant";
        if (owner.Kind == TypeKind.Interface) return "member";
        return member is IMethod ? "method" : "field";
    }

    static void Note(CSharpAstResolver resolver, AstNode node, string path)
    {
        var inactive = node as Comment;
        if (inactive != null && inactive.CommentType == CommentType.InactiveCode) NoteInactive(inactive, path);
        var name = node as Identifier;
        if (name == null || name.IsNull || NameOfDefinition(name.Parent) == name) return;
        AstNode around = name.Parent;
        bool isUse = around is IdentifierExpression || around is MemberReferenceExpression || around is SimpleType || around is MemberType || around is NamedExpression;
        if (!isUse) return;
        ResolveResult result = around is NamedExpression ? Initialized(resolver, (NamedExpression)around) : Meaning(resolver, around);
        string key = result is TypeResolveResult ? KeyOf(result.Type) : result is MemberResolveResult ? KeyOf(((MemberResolveResult)result).Member) : null;
        bool isImport = around.Ancestors.Any(one => one is UsingAliasDeclaration || one is UsingDeclaration);
        // `var` has a type too.
        if (key != null && !Regex.IsMatch(key, "(^|[.+#])" + Regex.Escape(name.Name) + "(Attribute)?(`\\d+)?$")) return;
        if (key != null && defined.Contains(key)) Print(isImport ? "import" : "use", key, PlaceOf(path, name));
        else if (result == null || result.IsError || result.Type.Kind == TypeKind.Unknown || result is MethodGroupResolveResult || result.Type.Kind == TypeKind.Dynamic) Print("unknown", name.Name, PlaceOf(path, name));
    }

    static ResolveResult Meaning(CSharpAstResolver resolver, AstNode of)
    {
        var call = of.Parent as InvocationExpression;
        ResolveResult own = resolver.Resolve(of);
        if (call == null || call.Target != of || !(own is MethodGroupResolveResult)) {
            var conversion = own is MethodGroupResolveResult && of is Expression ? resolver.GetConversion((Expression)of) : null;
            return conversion != null && conversion.Method != null ? new MemberResolveResult(null, conversion.Method) : own;
        }
        ResolveResult called = resolver.Resolve(call);
        return called is MemberResolveResult && !called.IsError ? called : new UnknownMemberResolveResult(SpecialType.UnknownType, "", new IType[0]);
    }

    static ResolveResult Initialized(CSharpAstResolver resolver, NamedExpression of)
    {
        AstNode made = of.Ancestors.FirstOrDefault(one => one is ObjectCreateExpression || one is ICSharpCode.NRefactory.CSharp.Attribute);
        IType type = made is ObjectCreateExpression ? resolver.Resolve(made).Type : made == null ? null : resolver.Resolve(((ICSharpCode.NRefactory.CSharp.Attribute)made).Type).Type;
        if (of.Parent.Parent is AnonymousTypeCreateExpression || of.Parent is AnonymousTypeCreateExpression) return new ResolveResult(SpecialType.NullType);
        IMember member = type == null ? null : type.GetMembers(one => one.Name == of.Name).LastOrDefault();
        return member == null ? null : new MemberResolveResult(null, member);
    }

    static void NoteInactive(Comment of, string path)
    {
        string[] lines = of.Content.Split('\n');
        for (int at = 0; at < lines.Length; at++) {
            foreach (Match word in Regex.Matches(lines[at], @"[A-Za-z_]\w*")) Print("unknown", word.Value, path + ":" + (of.StartLocation.Line + at) + ":" + (word.Index + 1));
        }
    }

    static string KeyOf(IMember member)
    {
        ITypeDefinition owner = member.MemberDefinition.DeclaringTypeDefinition;
        string name = member.Name.Substring(member.Name.LastIndexOf('.') + 1);
        return (owner == null ? "" : owner.ReflectionName) + "#" + name;
    }

    static string KeyOf(IType type)
    {
        ITypeDefinition definition = type.GetDefinition();
        return definition == null ? "" : definition.ReflectionName;
    }

    static string PlaceOf(string path, AstNode name)
    {
        return path + ":" + name.StartLocation.Line + ":" + name.StartLocation.Column;
    }

    static void Print(params string[] words)
    {
        output.WriteLine(string.Join("\t", words));
    }
}
