// go run main.go ROOT < occurrences.jsonl > judged.jsonl
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
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
		checked, _ := config.Check(path, l.files, files, info)
		if !strings.HasSuffix(name, "_test") {
			main = checked
			if wanted("x.go") && !wanted("x_test.go") {
				l.packages[path] = checked
			}
		}
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

func main() {
	root, _ := filepath.Abs(os.Args[1])
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	module := regexp.MustCompile(`(?m)^module (\S+)`).FindStringSubmatch(string(text))[1]
	files := token.NewFileSet()
	build.Default.CgoEnabled = false
	l := &loader{root, module, files, importer.ForCompiler(files, "source", nil), map[string]*types.Package{}, map[string]types.Object{}, map[string][][2]int{}}
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
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var one occurrence
		json.Unmarshal(lines.Bytes(), &one)
		one.Target = l.target(l.meanings[fmt.Sprintf("%s:%d:%s", one.Path, one.Line, one.Name)])
		judged, _ := json.Marshal(one)
		fmt.Fprintln(out, string(judged))
	}
}
