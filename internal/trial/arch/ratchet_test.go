package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uudashr/gocognit"

	"github.com/policyctl/policyctl/internal/program"
)

// ratchets are what is to become less. A change that makes a figure lower writes the
// lower one here; nothing makes one higher.
//
//	go test ./internal/trial/arch -run TestRatchets -v
//
// prints them all, with where they come from.
var ratchets = []struct {
	what   string
	figure int
	count  func(*house) findings
}{
	// Seven are words of the grammars of shells, such as time and set, and one is a tool of
	// agents that is called grep.
	{"programs compared or switched over by name outside their table", 7, comparedNames},
	// Why each is there stands in otherSets.
	{"sets of programs' names outside their table", 37, namedSets},
	{"arrows back up between the files of internal/eval", 47, func(h *house) findings { return h.arrowsBack("internal/eval") }},
	{"arrows back up between the files of internal/lang/shell", 9, func(h *house) findings { return h.arrowsBack("internal/lang/shell") }},
	{"arrows back up between the files of internal/command", 21, func(h *house) findings { return h.arrowsBack("internal/command") }},
	{"methods of the reader of lines", 245, func(h *house) findings { return h.methods("internal/eval", "reader") }},
	{"fields of a row", 52, func(h *house) findings { return h.fields("internal/program", "Program") }},
	{"exported names of pkg", 1005, exportedNames},
	{"files above 350 lines that are no tables", 49, longFiles},
	{"functions above a cognitive complexity of 25", 62, hardFunctions},
	{"lines above 160 columns", 1117, longLines},
	{"rows of ARCHITECTURE.md on what to edit", 15, rowsToChange},
}

// findings are how many there are of something, by where.
type findings map[string]int

func (f findings) sum() (n int) {
	for _, k := range f {
		n += k
	}
	return n
}

func TestRatchets(t *testing.T) {
	h := readHouse(t)
	for _, r := range ratchets {
		t.Run(r.what, func(t *testing.T) {
			found := r.count(h)
			n := found.sum()
			switch {
			case n > r.figure:
				t.Errorf("%d, %d before: there must not be more of them%s", n, r.figure, found.most())
			case n < r.figure:
				t.Errorf("%d, %d before: write the lower figure into the table of this test", n, r.figure)
			default:
				t.Logf("%d%s", n, found.most())
			}
		})
	}
}

// most lists the places that have most.
func (f findings) most() string {
	var places []string
	for place := range f {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b string) int {
		if f[a] != f[b] {
			return f[b] - f[a]
		}
		return strings.Compare(a, b)
	})
	const shown = 12
	var b strings.Builder
	for _, place := range places[:min(len(places), shown)] {
		b.WriteString("\n\t" + strconv.Itoa(f[place]) + " " + place)
	}
	return b.String()
}

// A house is the module's own text, without tests and what is generated.
type house struct {
	*testing.T
	set   *token.FileSet
	files map[string]*ast.File // by path from the root
	text  map[string][]string  // its lines
}

func readHouse(t *testing.T) *house {
	t.Helper()
	h := &house{T: t, set: token.NewFileSet(), files: map[string]*ast.File{}, text: map[string][]string{}}
	for _, top := range []string{"cmd", "internal", "pkg", "policies"} {
		err := filepath.WalkDir(root+top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(h.set, path, data, parser.ParseComments|parser.SkipObjectResolution)
			if err == nil && !ast.IsGenerated(f) {
				name := filepath.ToSlash(path[len(root):])
				h.files[name], h.text[name] = f, strings.Split(string(data), "\n")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func folder(file string) string { return file[:strings.LastIndexByte(file, '/')] }

// comparedNames counts comparisons of what is a program's name with that of a row, and
// switches over it, in what judges or reads lines. Names of calls in other languages are
// none, though a program may be called the same.
func comparedNames(h *house) findings {
	out := findings{}
	for name, f := range h.files {
		if in := folder(name); !judges(in) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && isNamed(n.X) && isRow(n.Y) {
					out[folder(name)]++
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && isNamed(n.Tag) && slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool { return slices.ContainsFunc(s.(*ast.CaseClause).List, isRow) }) {
					out[folder(name)]++
				}
			}
			return true
		})
	}
	return out
}

// otherSets are the sets that namedSets finds, and why none of them is a fact about
// programs that belongs in a row.
var otherSets = []struct {
	file, why string
	sets      int
}{
	{"internal/command/escapes_tcl.go", "words of Tcl, with what says the same in a shell", 1},
	{"internal/command/filter.go", "values of the kind turns", 2},
	{"internal/command/find.go", "words of the expressions of find", 1},
	{"internal/eval/output.go", "commands of the shell's own", 1},
	{"internal/lang/shell/dialect_command.go", "words of the grammars of shells", 3},
	{"internal/lang/shell/power.go", "words of PowerShell, and their aliases there", 3},
	{"pkg/approval/submit.go", "fields of a request", 1},
	{"pkg/config/decode.go", "values, in a message", 1},
	{"pkg/config/report.go", "words of a message", 1},
	{"pkg/dangerous/container.go", "a sub-command", 1},
	{"pkg/dangerous/foreign.go", "words of the shell of Windows", 1},
	{"pkg/dangerous/permission.go", "signs that are replaced", 1},
	{"pkg/hardline/limits.go", "sub-commands of policyctl", 1},
	{"pkg/hardline/power.go", "sub-commands of systemctl", 1},
	{"pkg/hardline/tool.go", "one row of many on where a device stands among words", 1},
	{"pkg/own/address.go", "schemes of URLs", 1},
	{"pkg/pattern/truth.go", "values of a logic", 1},
	{"pkg/policy/resembled.go", "names of tools", 1},
	{"pkg/policy/stage_loop.go", "what waits for others unless the policy says otherwise, each a command", 3},
	{"pkg/policy/tools.go", "names of tools, and of their arguments", 3},
	{"pkg/policy/undecided.go", "words in names of tools", 1},
	{"pkg/readonly/awk.go", "words of AWK", 1},
	{"pkg/readonly/check.go", "names of an option", 1},
	{"pkg/record/client.go", "the clients that this package itself reads", 1},
	{"pkg/record/sql.go", "the clients that this package itself reads", 1},
	{"pkg/rego/admission_entry.go", "values, in a message", 1},
	{"pkg/rego/admission_sample.go", "a sample of a command", 1},
	{"pkg/workspace/project.go", "schemes of specifiers", 1},
}

func TestOtherSets(t *testing.T) {
	left := namedSets(readHouse(t))
	for _, s := range otherSets {
		if left[s.file] != s.sets {
			t.Errorf("%s has %d sets of names that rows have, and %d are explained: %s", s.file, left[s.file], s.sets, s.why)
		}
		delete(left, s.file)
	}
	for file, n := range left {
		t.Errorf("%s has %d sets of names that rows have: is it a kind of the rows?", file, n)
	}
}

// namedSets counts texts of several words, literals, cases and arguments of a call that
// have at least two names of rows, and little else, in what judges or reads lines. The
// examples of rules are none, and what begins with policyctl is a command of its own.
func namedSets(h *house) findings {
	out := findings{}
	for name, f := range h.files {
		if !judges(folder(name)) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var words []ast.Expr
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				return !ok || key.Name != "Hit" && key.Name != "Miss"
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && !strings.HasPrefix(text, "policyctl ") {
					for _, w := range strings.Fields(text) {
						words = append(words, &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(w)})
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						e = pair.Key
					}
					words = append(words, e)
				}
			case *ast.CaseClause:
				words = n.List
			case *ast.CallExpr:
				words = n.Args
			}
			if mostlyRows(words) {
				out[name]++
			}
			return true
		})
	}
	return out
}

// mostlyRows reports whether at least two of some expressions, and two of three, are
// names of rows.
func mostlyRows(words []ast.Expr) bool {
	rows := 0
	for _, w := range words {
		if isRow(w) {
			rows++
		}
	}
	return rows > 1 && 3*rows >= 2*len(words)
}

// judges reports whether a package judges or reads lines.
func judges(in string) bool {
	return strings.HasPrefix(in, "pkg/") || slices.Contains([]string{"internal/eval", "internal/command", "internal/lang/shell"}, in)
}

// isNamed reports whether an expression reads as the name of a program.
func isNamed(e ast.Expr) bool {
	text := types.ExprString(e)
	return text == "name" || text == "program" || strings.HasSuffix(text, ".Name") || strings.HasSuffix(text, ".Path")
}

// isRow reports whether an expression is the name of a row, written out.
func isRow(e ast.Expr) bool {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return false
	}
	name, err := strconv.Unquote(b.Value)
	return err == nil && program.Find(name) != nil && program.Listed(name) == name && !program.OfKind(name, "word")
}

// empty imports every package as one without names: what a package uses of its own needs
// no other.
type empty struct{}

func (empty) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// arrowsBack counts the arrows from a file of a package to another whose declarations it
// uses, in so far as they run up again in the order of the files that a greedy walk over
// the arrows finds.
func (h *house) arrowsBack(pkg string) findings {
	uses := h.uses(pkg)
	order := ordered(uses)
	out := findings{}
	for from, all := range uses {
		for to := range all {
			if order[to] < order[from] {
				out[from+" uses "+to]++
			}
		}
	}
	return out
}

// uses returns which files of a package use which.
func (h *house) uses(pkg string) map[string]map[string]bool {
	var files []*ast.File
	for name, f := range h.files {
		if folder(name) == pkg {
			files = append(files, f)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: empty{}, Error: func(error) {}} // of names of other packages
	p, _ := conf.Check(module+pkg, h.set, files, info)
	file := func(at token.Pos) string { return filepath.Base(h.set.Position(at).Filename) }
	out := map[string]map[string]bool{}
	for _, f := range files {
		out[file(f.Pos())] = map[string]bool{}
	}
	for ident, object := range info.Uses {
		if from, to := file(ident.Pos()), file(object.Pos()); object.Pkg() == p && from != to {
			out[from][to] = true
		}
	}
	return out
}

// ordered puts the files so that few arrows run up (Eades, Lin and Smyth 1993): those that
// nothing uses first, those that use nothing last, and of the others next the one with
// most arrows out over those in.
func ordered(uses map[string]map[string]bool) map[string]int {
	left := map[string]bool{}
	for name := range uses {
		left[name] = true
	}
	degree := func(name string) (out, in int) {
		for other := range left {
			if uses[name][other] {
				out++
			}
			if uses[other][name] {
				in++
			}
		}
		return out, in
	}
	order := map[string]int{}
	first, last := 0, len(left)-1
	for len(left) > 0 {
		best, most := "", 0
		for _, name := range slices.Sorted(maps.Keys(left)) {
			out, in := degree(name)
			if out == 0 {
				best, order[name], last = name, last, last-1
				break
			}
			if in == 0 {
				best, order[name], first = name, first, first+1
				break
			}
			if best == "" || out-in > most {
				best, most = name, out-in
			}
		}
		if _, placed := order[best]; !placed {
			order[best], first = first, first+1
		}
		delete(left, best)
	}
	return order
}

// methods counts those of a type, by file.
func (h *house) methods(pkg, typ string) findings {
	out := findings{}
	for name, f := range h.files {
		if folder(name) != pkg {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*") == typ {
				out[name]++
			}
		}
	}
	return out
}

// fields counts those of a struct.
func (h *house) fields(pkg, typ string) findings {
	out := findings{}
	for name, f := range h.files {
		if folder(name) != pkg {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == typ {
				if s, ok := spec.Type.(*ast.StructType); ok {
					out[name] += s.Fields.NumFields()
				}
			}
			return true
		})
	}
	return out
}

// exportedNames counts types, functions, variables and constants, and methods of exported
// types.
func exportedNames(h *house) findings {
	out := findings{}
	for name, f := range h.files {
		if !strings.HasPrefix(name, "pkg/") {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"))) {
					out[folder(name)]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							out[folder(name)]++
						}
					case *ast.ValueSpec:
						for _, id := range s.Names {
							if id.IsExported() {
								out[folder(name)]++
							}
						}
					}
				}
			}
		}
	}
	return out
}

// longFiles finds files that cannot be read in one sitting. One without functions is a
// table.
func longFiles(h *house) findings {
	out := findings{}
	for name, f := range h.files {
		const most = 350
		if len(h.text[name])-1 > most && slices.ContainsFunc(f.Decls, func(d ast.Decl) bool { _, is := d.(*ast.FuncDecl); return is }) {
			out[name] = 1
		}
	}
	return out
}

func hardFunctions(h *house) findings {
	const most = 25
	out := findings{}
	for name, f := range h.files {
		for _, s := range gocognit.ComplexityStats(f, h.set, nil) {
			if s.Complexity > most {
				out[folder(name)]++
			}
		}
	}
	return out
}

func longLines(h *house) findings {
	const most = 160
	out := findings{}
	for name, lines := range h.text {
		for _, line := range lines {
			if len([]rune(line)) > most {
				out[folder(name)]++
			}
		}
	}
	return out
}

// rowsToChange counts the rows of the first table that TestToChange reads.
func rowsToChange(h *house) findings {
	data, err := os.ReadFile(root + "ARCHITECTURE.md")
	if err != nil {
		h.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "## To change …")
	table, _, _ = strings.Cut(table, "\n## ")
	return findings{"ARCHITECTURE.md": strings.Count(table, "\n| ") - 1}
}
