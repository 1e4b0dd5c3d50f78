package command

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// InterpreterOf returns the interpreter that the first line of a script names, ""
// for a shell and where it names none.
func InterpreterOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return ""
	}
	for word := range strings.FieldsSeq(line) {
		name := shell.Base(word)
		if program.Has(name, program.IsTransparent) || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if program.Has(name, program.IsShell) {
			return ""
		}
		return name
	}
	return ""
}

// DefaultScripts are the files that a program runs in its directory where it
// is told of no other (the tools' own manuals).
var DefaultScripts = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"make": "GNUmakefile makefile Makefile",
		"just": "justfile Justfile .justfile", "task": "Taskfile.yml Taskfile.yaml taskfile.yml", "go-task": "Taskfile.yml Taskfile.yaml",
		"npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json",
		"rake": "Rakefile rakefile", "ninja": "build.ninja", "cmake": "CMakeLists.txt",
		"tox": "tox.ini", "nox": "noxfile.py", "pytest": "conftest.py test_*.py *_test.py tests/conftest.py tests/test_*.py", "r": ".Rprofile", "rscript": ".Rprofile", "irb": ".irbrc", "pry": ".pryrc", "invoke": "tasks.py", "inv": "tasks.py", "fab": "fabfile.py", "scons": "SConstruct Sconstruct sconstruct",
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
		"ant": "build.xml", "mvn": "pom.xml", "gradle": "build.gradle build.gradle.kts", "sbt": "build.sbt", "lein": "project.clj", "mill": "build.sc build.mill",
		"bazel": "MODULE.bazel WORKSPACE BUILD.bazel BUILD", "meson": "meson.build", "waf": "wscript", "xmake": "xmake.lua", "premake5": "premake5.lua", "mage": "magefile.go",
		"dotnet": "Directory.Build.props Directory.Build.targets", "msbuild": "Directory.Build.props Directory.Build.targets", "swift": "Package.swift", "flutter": "pubspec.yaml", "dart": "pubspec.yaml",
		"mix": "mix.exs", "rebar3": "rebar.config", "cabal": "cabal.project", "stack": "stack.yaml", "dune": "dune-project", "zig": "build.zig",
		"pre-commit": ".pre-commit-config.yaml", "lefthook": "lefthook.yml lefthook.yaml", "overmind": "Procfile", "foreman": "Procfile", "honcho": "Procfile", "hivemind": "Procfile", "poe": "pyproject.toml", "pipenv": "Pipfile", "terraform": "main.tf", "tofu": "main.tf", "pip": "setup.py", "direnv": ".envrc", "mprocs": "mprocs.yaml", "tilt": "Tiltfile", "earthly": "Earthfile", "dagger": "dagger.json",
		"mypy": "mypy.ini", "pylint": ".pylintrc", "mkdocs": "mkdocs.yml", "sphinx-build": "conf.py", "snakemake": "Snakefile", "dvc": "dvc.yaml", "hatch": "pyproject.toml", "pdm": "pyproject.toml",
	}
})

// DefaultFiles returns the files that the command runs where it is told of no other: those
// of its program, or of the one that it starts for a package or as a module, also in the
// directories that it names.
func (c *Command) DefaultFiles() (out []string) {
	for _, name := range c.started() {
		for file := range strings.FieldsSeq(DefaultScripts()[name]) {
			out = append(out, file)
			if strings.Contains(file, "*") {
				out = append(out, c.below(file)...)
			}
		}
	}
	return out
}

// started returns the names of the program and of what it starts.
func (c *Command) started() []string {
	names := []string{c.Name}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec {
			names = append(names, c.Words[o.At].Text())
		}
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && o.Spec != nil && o.Spec.Role == program.RoleExec {
			names = append(names, o.Arg.Text())
		}
	}
	return names
}

// below returns a file in each directory that a word of the command may name.
func (c *Command) below(file string) (out []string) {
	for _, w := range c.Words[1:] {
		if dir := strings.TrimSuffix(w.Text(), "/"); dir != "" && dir[0] != '-' {
			out = append(out, dir+"/"+file)
		}
	}
	return out
}

// ReadsDirectory reports whether a program runs what a file says that it finds
// in the directory in which it starts, such as a Rakefile: another directory
// makes it another program.
func ReadsDirectory(name string) bool { return DefaultScripts()[name] != "" }
