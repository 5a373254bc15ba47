// go run main.go ROOT < occurrences.jsonl > judged.jsonl
// go run main.go ROOT facts > facts.tsv: all definitions and uses, in the format of compiled-facts.ts
// What go/types takes each name for: adds "target", "path:line" of the name of the definition in ROOT, or
// null for what is defined in a function, and what is not of ROOT. Modules that are not
// there are taken as empty, so that what comes out of them stays unknown.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type occurrence struct {
	Path   string  `json:"path"`
	Line   int     `json:"line"`
	Column int     `json:"column"`
	Name   string  `json:"name"`
	Target *string `json:"target"`
}

type loader struct {
	root     string
	module   string
	files    *token.FileSet
	standard types.Importer
	packages map[string]*types.Package
	meanings map[string]types.Object
	bodies   map[string][][2]int
	facts    map[string]bool
	parsed   map[string]bool
}

func (l *loader) Import(path string) (*types.Package, error) {
	if known, ok := l.packages[path]; ok {
		return known, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.check(path, filepath.Join(l.root, strings.TrimPrefix(path, l.module)), func(name string) bool {
			return !strings.HasSuffix(name, "_test.go")
		}), nil
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		if found, err := l.standard.Import(path); err == nil {
			l.packages[path] = found
			return found, nil
		}
	}
	empty := types.NewPackage(path, regexp.MustCompile(`/v\d+$`).ReplaceAllString(path, "")[strings.LastIndex(regexp.MustCompile(`/v\d+$`).ReplaceAllString(path, ""), "/")+1:])
	empty.MarkComplete()
	l.packages[path] = empty
	return empty, nil
}

// Tests of a package are checked together with it, a second time: an importer never sees them.
func (l *loader) check(path, folder string, wanted func(string) bool) *types.Package {
	byPackage := map[string][]*ast.File{}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || !wanted(name) {
			continue
		}
		if ok, _ := build.Default.MatchFile(folder, name); !ok {
			continue
		}
		file, err := parser.ParseFile(l.files, filepath.Join(folder, name), nil, parser.ParseComments)
		if file != nil && (err == nil || len(file.Decls) > 0) {
			l.noteBodies(file)
			byPackage[file.Name.Name] = append(byPackage[file.Name.Name], file)
		}
	}
	var main *types.Package
	for name, files := range byPackage {
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
		checked, _ := config.Check(path, l.files, files, info)
		if !strings.HasSuffix(name, "_test") {
			main = checked
			if wanted("x.go") && !wanted("x_test.go") {
				l.packages[path] = checked
			}
		}
		for _, file := range files {
			l.noteFacts(file, info)
		}
		l.noteOverrides(checked.Scope())
		for identifier, object := range info.Uses {
			at := l.files.Position(identifier.Pos())
			relative, _ := filepath.Rel(l.root, at.Filename)
			key := fmt.Sprintf("%s:%d:%s", relative, at.Line, identifier.Name)
			if _, known := l.meanings[key]; !known {
				l.meanings[key] = object
			}
		}
	}
	if main == nil {
		main = types.NewPackage(path, "none")
	}
	return main
}

func (l *loader) noteBodies(file *ast.File) {
	name := l.files.Position(file.Pos()).Filename
	if _, known := l.bodies[name]; known {
		return
	}
	bodies := [][2]int{}
	ast.Inspect(file, func(node ast.Node) bool {
		if block, ok := node.(*ast.BlockStmt); ok {
			bodies = append(bodies, [2]int{l.files.Position(block.Pos()).Offset, l.files.Position(block.End()).Offset})
			return false
		}
		return true
	})
	l.bodies[name] = bodies
}

func (l *loader) isInBody(at token.Position) bool {
	for _, body := range l.bodies[at.Filename] {
		if body[0] <= at.Offset && at.Offset < body[1] {
			return true
		}
	}
	return false
}

func (l *loader) target(object types.Object) *string {
	if object == nil || !object.Pos().IsValid() || object.Pkg() == nil {
		return nil
	}
	if _, isImport := object.(*types.PkgName); isImport {
		return nil
	}
	at := l.files.Position(object.Pos())
	relative, err := filepath.Rel(l.root, at.Filename)
	if err != nil || strings.HasPrefix(relative, "..") || l.isInBody(at) {
		return nil
	}
	if variable, ok := object.(*types.Var); ok && !variable.IsField() && object.Parent() != object.Pkg().Scope() {
		return nil
	}
	if object.Parent() != nil && object.Parent() != object.Pkg().Scope() {
		return nil
	}
	text := fmt.Sprintf("%s:%d", relative, at.Line)
	return &text
}

// The place of a name, `path:line:column`, which is also the key of a definition.
func (l *loader) place(at token.Pos) string {
	position := l.files.Position(at)
	relative, _ := filepath.Rel(l.root, position.Filename)
	return fmt.Sprintf("%s:%d:%d", relative, position.Line, position.Column)
}

func (l *loader) isOfRoot(object types.Object) bool {
	return object.Pos().IsValid() && strings.HasPrefix(l.files.Position(object.Pos()).Filename, l.root+"/")
}

func (l *loader) noteFacts(file *ast.File, info *types.Info) {
	l.parsed[l.files.Position(file.Pos()).Filename] = true
	container := ""
	ast.Inspect(file, func(node ast.Node) bool {
		if declaration, ok := node.(*ast.GenDecl); ok && declaration.Tok != token.TYPE {
			container = ""
		}
		if declaration, ok := node.(*ast.TypeSpec); ok {
			container = declaration.Name.Name
		}
		if identifier, ok := node.(*ast.Ident); ok {
			l.noteName(identifier, info, container)
		}
		return true
	})
}

func (l *loader) noteName(identifier *ast.Ident, info *types.Info, container string) {
	at := l.place(identifier.Pos())
	used, isUse := info.Uses[identifier]
	defined, isDefinition := info.Defs[identifier]
	if isUse && used != nil {
		used = origin(used)
		variable, _ := used.(*types.Var)
		if variable != nil && variable.Embedded() {
			l.facts["unknown\t"+identifier.Name+"\t"+at] = true
		} else if l.isOfRoot(used) {
			l.facts["use\t"+l.place(used.Pos())+"\t"+at] = true
		}
	}
	if isDefinition && defined != nil && !l.isInBody(l.files.Position(identifier.Pos())) {
		if kind, owner := kindOf(defined, container); kind != "" && identifier.Name != "_" {
			l.facts[strings.Join([]string{"definition", at, kind, identifier.Name, owner, at}, "\t")] = true
		}
	}
	if !isUse && !isDefinition {
		l.facts["unknown\t"+identifier.Name+"\t"+at] = true
	}
}

// The generic definition of an instance.
func origin(object types.Object) types.Object {
	switch one := object.(type) {
	case *types.Func:
		return one.Origin()
	case *types.Var:
		return one.Origin()
	}
	return object
}

func kindOf(object types.Object, container string) (string, string) {
	isOuter := object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
	switch one := object.(type) {
	case *types.Func:
		receiver := one.Type().(*types.Signature).Recv()
		if receiver == nil {
			return "function", ""
		}
		if named := namedOf(receiver.Type()); named != nil {
			return "method", named.Obj().Name()
		}
		return "method", container
	case *types.TypeName:
		if !isOuter {
			return "", ""
		}
		switch one.Type().Underlying().(type) {
		case *types.Interface:
			return "interface", ""
		case *types.Struct:
			return "class", ""
		}
		return "type", ""
	case *types.Var:
		if one.IsField() && !one.Embedded() {
			return "field", container
		}
		if isOuter {
			return "constant", ""
		}
	case *types.Const:
		if isOuter {
			return "constant", ""
		}
	}
	return "", ""
}

func namedOf(of types.Type) *types.Named {
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	named, _ := of.(*types.Named)
	return named
}

// Which methods of a package implement one of its interfaces, or one of a package of the module that it imports.
func (l *loader) noteOverrides(scope *types.Scope) {
	scopes := []*types.Scope{scope}
	for _, imported := range l.packages {
		scopes = append(scopes, imported.Scope())
	}
	for _, one := range namedIn(scope) {
		for _, other := range scopes {
			for _, wanted := range namedIn(other) {
				l.noteImplementation(one, wanted)
				l.noteImplementation(wanted, one)
			}
		}
	}
}

func (l *loader) noteImplementation(one, wanted *types.Named) {
	list, ok := wanted.Underlying().(*types.Interface)
	if !ok || list.NumMethods() == 0 || one.TypeParams() != nil || wanted.TypeParams() != nil || one == wanted {
		return
	}
	if !l.isOfRoot(wanted.Obj()) || !l.isOfRoot(one.Obj()) || !types.Implements(types.NewPointer(one), list) && !types.Implements(one, list) {
		return
	}
	for at := 0; at < list.NumMethods(); at++ {
		method := list.Method(at)
		object, _, _ := types.LookupFieldOrMethod(one, true, method.Pkg(), method.Name())
		if own, ok := object.(*types.Func); ok && own.Pos() != method.Pos() {
			l.facts["overrides\t"+l.place(own.Pos())+"\t"+l.place(method.Pos())] = true
		}
	}
}

func namedIn(scope *types.Scope) []*types.Named {
	found := []*types.Named{}
	for _, name := range scope.Names() {
		if object, ok := scope.Lookup(name).(*types.TypeName); ok && !object.IsAlias() {
			if named, ok := object.Type().(*types.Named); ok {
				found = append(found, named)
			}
		}
	}
	return found
}

// Of files that this build leaves out, no meanings are known.
func (l *loader) noteLeftOut(path string) {
	file, _ := parser.ParseFile(l.files, path, nil, 0)
	if file != nil && !l.parsed[path] {
		l.noteFacts(file, &types.Info{})
	}
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	module := regexp.MustCompile(`(?m)^module (\S+)`).FindStringSubmatch(string(text))[1]
	files := token.NewFileSet()
	build.Default.CgoEnabled = false
	l := &loader{root, module, files, importer.ForCompiler(files, "source", nil), map[string]*types.Package{}, map[string]types.Object{}, map[string][][2]int{}, map[string]bool{}, map[string]bool{}}
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			relative, _ := filepath.Rel(root, path)
			name := module
			if relative != "." {
				name += "/" + relative
			}
			l.Import(name)
			l.check(name, path, func(string) bool { return true })
		}
		return nil
	})
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if len(os.Args) > 2 {
		filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() && strings.HasSuffix(path, ".go") {
				l.noteLeftOut(path)
			}
			return nil
		})
		for fact := range l.facts {
			fmt.Fprintln(out, fact)
		}
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one occurrence
		json.Unmarshal(lines.Bytes(), &one)
		one.Target = l.target(l.meanings[fmt.Sprintf("%s:%d:%s", one.Path, one.Line, one.Name)])
		judged, _ := json.Marshal(one)
		fmt.Fprintln(out, string(judged))
	}
}
