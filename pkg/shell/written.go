package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/script"
)

// maxFiles bounds how many files a line writes that are followed.
const maxFiles = 64

// noteFiles keeps the text that command i writes to files, for commands that
// run them later on the line.
func (r *reader) noteFiles(i int) {
	c := &r.line.Commands[i]
	if c.Context != program.Local || len(c.Words) == 0 {
		return
	}
	for k := range c.Redirects {
		if rd := &c.Redirects[k]; rd.Writes() && (rd.Fd == "" || rd.Fd == "1") {
			text := r.prints(i, 0)
			if list := r.listing(i, 0); len(text.Values) == 0 && !list.Names {
				text = list
			}
			r.noteFile(i, rd.Target.Set, text, strings.HasSuffix(rd.Op, ">>"))
		}
	}
	r.codeFiles(i)
	switch c.Name {
	case "tee", "sponge":
		for _, o := range c.Args.Operands {
			r.noteFile(i, c.Words[o.At].Set, r.inputText(i), c.Args.Has("a"))
		}
	case "dd":
		for _, o := range c.Args.Operands {
			c.pairEffects(&c.Words[o.At], func(e Effect) bool {
				if e.Kind == Writes {
					r.noteFile(i, e.Target, r.inputText(i), false)
				}
				return true
			})
		}
	case "npm":
		r.notePackage(i)
	case "cp", "mv", "ln", "install":
		if n := len(c.Args.Operands); n == 2 {
			text, ok := r.writtenText(i, c.Words[c.Args.Operands[0].At].Set)
			if c.Words[c.Args.Operands[0].At].Has("/dev/stdin") {
				text, ok = r.inputText(i), true
			}
			if ok {
				r.noteFile(i, c.Words[c.Args.Operands[1].At].Set, text, false)
			}
		}
	}
}

// noteDescriptor keeps the text behind a descriptor other than the standard ones, as
// that of the file by which commands may name it.
func (r *reader) noteDescriptor(cmd int, rd *Redirect) {
	if rd.Fd == "" || rd.Writes() && rd.Op != "<>" {
		return
	}
	if text := r.redirected(cmd, rd); text != nil {
		r.noteFile(cmd, descriptorFile(Set{Values: []string{rd.Fd}}), *text, false)
	}
}

// descriptorFile returns the path of the file that stands for a descriptor. Those
// whose numbers the shell picks, as for {name}<file, share one.
func descriptorFile(number Set) Set {
	v, ok := number.Literal()
	if !ok || strings.HasPrefix(v, "{") {
		v = "10"
	}
	return Set{Values: []string{"/dev/fd/" + strings.TrimSuffix(v, "-")}}
}

func (r *reader) noteFile(i int, target, text Set, more bool) {
	path, ok := r.fileName(i, target)
	if !ok {
		return
	}
	if len(text.Values) > 0 && len(text.Values[0]) <= maxOutput && !strings.HasPrefix(path, "/dev/") {
		r.line.Commands[i].AddWritten(path, text.Values[0])
	}
	if more && len(r.files[path].Values) > 0 {
		old := r.files[path]
		whole := Set{Open: old.Open || text.Open}
		whole.Values = append(whole.Values, old.Values[0])
		if len(text.Values) > 0 {
			whole.Values[0] += text.Values[0]
		}
		text = whole
	}
	delete(r.files, path)
	if len(text.Values) == 0 || len(text.Values[0]) > maxOutput || len(r.files) >= maxFiles {
		return
	}
	if r.files == nil {
		r.files = make(map[string]Set)
	}
	r.files[path] = text
}

// notePackage keeps the script that npm pkg set or npm set-script writes to the
// file of the package.
func (r *reader) notePackage(i int) {
	words, ok := literals(r.line.Commands[i].Words[1:])
	name, script := "", ""
	switch {
	case !ok || len(words) < 3:
		return
	case words[0] == "set-script":
		name, script = words[1], words[2]
	case words[0] == "pkg" && words[1] == "set":
		for _, w := range words[2:] {
			if v, isScript := strings.CutPrefix(w, "scripts."); isScript {
				name, script, _ = strings.Cut(v, "=")
			}
		}
	}
	if name == "" {
		return
	}
	text := `{"scripts": {"` + name + `": "` + strings.ReplaceAll(strings.ReplaceAll(script, `\`, `\\`), `"`, `\"`) + `"}}`
	r.noteFile(i, Set{Values: []string{"package.json"}}, Set{Values: []string{text}, Open: true}, false)
}

// fileName returns the absolute path that a word names for command i.
func (r *reader) fileName(i int, target Set) (string, bool) {
	path, ok := target.Literal()
	if !ok && len(target.Values) == 1 && !target.Glob && strings.HasPrefix(target.Values[0], tempName) {
		path, ok = target.Values[0], true
	}
	if !ok || path == "" {
		return "", false
	}
	dir := ""
	if len(r.line.Commands[i].Dir.Values) > 0 {
		dir = r.line.Commands[i].Dir.Values[0]
	}
	if n, ok := strings.CutPrefix(path, "/proc/self/fd/"); ok {
		path = "/dev/fd/" + n
	}
	return Abs(dir, path), true
}

func (r *reader) isWritten(i int, target Set) bool {
	_, ok := r.writtenText(i, target)
	return ok
}

// writtenText returns the text that the line has written to a file.
func (r *reader) writtenText(i int, target Set) (Set, bool) {
	if len(r.files) == 0 || r.line.Commands[i].Context != program.Local {
		return Set{}, false
	}
	path, ok := r.fileName(i, target)
	if !ok {
		return Set{}, false
	}
	text, ok := r.files[path]
	text.Open = true // it may have been changed since
	return text, ok
}

// writtenAny returns the text of a file that the line has written and that a word
// may name, as one of several or by a pattern. It is always open.
func (r *reader) writtenAny(i int, target Set) (Set, bool) {
	if len(r.files) == 0 || r.line.Commands[i].Context != program.Local {
		return Set{}, false
	}
	var names []string
	paths := Paths(r.line.Commands[i].Dir, target)
	for name := range r.files {
		at := strings.LastIndexByte(name, '/') + 1
		if slices.ContainsFunc(paths, func(p string) bool {
			return p == name || target.Glob && len(p) >= at && p[:at] == name[:at] && Matches(p[at:], name[at:])
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := Set{Open: true}
	for _, name := range names {
		out.Values = append(out.Values, r.files[name].Values...)
	}
	return out, len(out.Values) > 0
}

// ownScript reads a program that the line itself has written: a script for a
// shell, or for the interpreter that its first line names.
func (r *reader) ownScript(i int, own *scope) {
	c := &r.line.Commands[i]
	text, ok := r.writtenText(i, c.Words[0].Set)
	if !ok || !strings.Contains(c.Path, "/") {
		return
	}
	if name := interpreterOf(text.Values[0]); name != "" {
		if line, ok := quoted(append([]Word{{Set: known(r, name)}}, c.Words...)); ok {
			inner := *own
			r.evaluate(i, Word{Set: known(r, line), Span: c.Words[0].Span}, &inner)
		}
		return
	}
	inner := *own
	inner.funcs = nil
	args := binding{name: "@", array: true}
	for _, w := range c.Words[1:] {
		args.elems = append(args.elems, w.Set)
		args.set.Open = args.set.Open || w.Many
	}
	inner.bind(r, args)
	r.noteRestart(i, c.Words[0].Set, text)
	r.evaluate(i, Word{Set: Set{Values: text.Values}, Span: c.Words[0].Span}, &inner)
}

// interpreterOf returns the interpreter that the first line of a script names, ""
// for a shell and where it names none.
func interpreterOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return ""
	}
	for word := range strings.FieldsSeq(line) {
		name := Base(word)
		if name == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if program.Has(name, program.IsShell) {
			return ""
		}
		return name
	}
	return ""
}

// scripts notes the text of the files that an interpreter runs: of a process
// substitution, of the standard input, or of a file that the line has written.
func (r *reader) scripts(i int) {
	c := &r.line.Commands[i]
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec && !c.Words[o.At].Has("-") {
			r.script(i, c.Words[o.At])
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.Spec != nil && o.Spec.Role == program.RoleExec && o.HasArg {
			r.script(i, o.Arg)
		}
	}
}

func (r *reader) script(i int, w Word) {
	text, ok := r.fileText(i, w)
	if !ok {
		text, ok = r.writtenText(i, w.Set)
	}
	if !ok {
		text, ok = r.writtenAny(i, w.Set)
	}
	known := r.line.Commands[i].Args.Program
	if name, literal := w.Literal(); !ok && literal && known != nil && len(r.files) > 0 {
		for _, file := range script.Files(name, known.Language) {
			if text, ok = r.writtenText(i, Set{Values: []string{file}}); ok {
				break
			}
		}
	}
	if ok && len(text.Values) > 0 {
		r.line.Commands[i].Script = &text
	}
}

// defaultScripts are the files that a program runs in its directory where it
// is told of no other (the tools' own manuals).
var defaultScripts = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"make": "GNUmakefile makefile Makefile", "gmake": "GNUmakefile makefile Makefile",
		"just": "justfile Justfile .justfile", "task": "Taskfile.yml Taskfile.yaml taskfile.yml", "go-task": "Taskfile.yml Taskfile.yaml",
		"npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json",
		"rake": "Rakefile rakefile", "ninja": "build.ninja", "cmake": "CMakeLists.txt",
		"tox": "tox.ini", "nox": "noxfile.py", "pytest": "conftest.py", "invoke": "tasks.py", "inv": "tasks.py", "fab": "fabfile.py", "scons": "SConstruct Sconstruct sconstruct",
		"gulp": "gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts", "grunt": "Gruntfile.js Gruntfile.coffee",
		"webpack": "webpack.config.js webpack.config.cjs webpack.config.mjs webpack.config.ts", "rollup": "rollup.config.js rollup.config.mjs rollup.config.ts",
		"vite": "vite.config.js vite.config.mjs vite.config.ts", "vitest": "vitest.config.js vitest.config.ts vite.config.js vite.config.ts",
		"jest": "jest.config.js jest.config.cjs jest.config.mjs jest.config.ts", "mocha": ".mocharc.js .mocharc.cjs", "ava": "ava.config.js ava.config.cjs ava.config.mjs",
		"karma": "karma.conf.js", "playwright": "playwright.config.js playwright.config.ts", "cypress": "cypress.config.js cypress.config.ts",
		"eslint": "eslint.config.js eslint.config.mjs eslint.config.cjs .eslintrc.js .eslintrc.cjs", "prettier": "prettier.config.js prettier.config.cjs prettier.config.mjs .prettierrc.js .prettierrc.cjs",
		"stylelint": "stylelint.config.js .stylelintrc.js", "babel": "babel.config.js babel.config.cjs .babelrc.js", "next": "next.config.js next.config.mjs next.config.ts", "nuxt": "nuxt.config.js nuxt.config.ts", "astro": "astro.config.mjs astro.config.ts",
		"turbo": "turbo.json package.json", "nx": "nx.json package.json", "lerna": "lerna.json package.json", "tsc": "tsconfig.json",
		"rspec": ".rspec spec/spec_helper.rb", "cucumber": "cucumber.yml", "guard": "Guardfile", "cap": "Capfile", "thor": "Thorfile", "fastlane": "fastlane/Fastfile", "rubocop": ".rubocop.yml",
		"phpunit": "phpunit.xml phpunit.xml.dist", "composer": "composer.json", "phpstan": "phpstan.neon", "php-cs-fixer": ".php-cs-fixer.php .php-cs-fixer.dist.php",
		"ant": "build.xml", "mvn": "pom.xml", "mvnw": "pom.xml", "gradle": "build.gradle build.gradle.kts", "gradlew": "build.gradle build.gradle.kts", "sbt": "build.sbt", "lein": "project.clj", "mill": "build.sc build.mill",
		"bazel": "MODULE.bazel WORKSPACE BUILD.bazel BUILD", "bazelisk": "MODULE.bazel WORKSPACE", "meson": "meson.build", "waf": "wscript", "xmake": "xmake.lua", "premake5": "premake5.lua", "mage": "magefile.go",
		"dotnet": "Directory.Build.props Directory.Build.targets", "msbuild": "Directory.Build.props Directory.Build.targets", "swift": "Package.swift", "flutter": "pubspec.yaml", "dart": "pubspec.yaml",
		"mix": "mix.exs", "rebar3": "rebar.config", "cabal": "cabal.project", "stack": "stack.yaml", "dune": "dune-project", "zig": "build.zig",
		"pre-commit": ".pre-commit-config.yaml", "lefthook": "lefthook.yml lefthook.yaml", "overmind": "Procfile", "foreman": "Procfile", "honcho": "Procfile", "hivemind": "Procfile", "poe": "pyproject.toml", "pipenv": "Pipfile", "terraform": "main.tf", "tofu": "main.tf", "pip": "setup.py", "direnv": ".envrc", "mprocs": "mprocs.yaml", "tilt": "Tiltfile", "earthly": "Earthfile", "dagger": "dagger.json",
		"mypy": "mypy.ini", "pylint": ".pylintrc", "mkdocs": "mkdocs.yml", "sphinx-build": "conf.py", "snakemake": "Snakefile", "dvc": "dvc.yaml", "hatch": "pyproject.toml", "pdm": "pyproject.toml",
	}
})

// ReadsDirectory reports whether a program runs what a file says that it finds
// in the directory in which it starts, such as a Rakefile: another directory
// makes it another program.
func ReadsDirectory(name string) bool { return defaultScripts()[name] != "" }

// anyScript notes the text of a file that a program may run where its grammar
// does not say which of its words that is: the first word that names a process
// substitution or a file that the line has written, or the program's own file.
func (r *reader) anyScript(i int) {
	c := &r.line.Commands[i]
	if len(r.files) == 0 && len(r.substs) == 0 && c.Input == nil || c.Script != nil {
		return
	}
	for k := range c.Words[1:] {
		w := c.Words[k+1]
		if v, ok := w.Literal(); ok && strings.HasPrefix(v, "-") {
			if at := strings.IndexByte(v, '='); at > 0 {
				w = cut(&w, at+1)
			}
		}
		if !w.Has("-") {
			r.script(i, w)
		}
		if r.line.Commands[i].Script != nil {
			return
		}
	}
	for name := range strings.FieldsSeq(defaultScripts()[c.Name]) {
		w := Word{Set: Set{Values: []string{name}}}
		for _, option := range [...]string{"C", "directory", "prefix", "cwd"} {
			if o := c.Args.Option(option); o != nil && o.HasArg && len(o.Arg.Values) > 0 {
				w.Values[0] = o.Arg.Values[0] + "/" + name
			}
		}
		r.script(i, w)
	}
}
