package dangerous

import (
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// handsOn holds for programs that hand on the files that they read.
func handsOn(c *cmd) bool {
	return c.Is(program.Copies) || c.Is(program.Encodes) || c.Of("hands-on") || c.Of("compiles")
}

func selfRules() []hazard.Rule {
	return []hazard.Rule{{
		ID: "self-copy", Class: "protection",
		Why:     "makes a copy or a link of policyctl under another name",
		Instead: "Run policyctl under its own name.",
		Match:   copiesSelf,
		Hit:     []string{"cp policyctl ./x", "ln -s /usr/local/bin/policyctl x", "cat ~/go/bin/policyctl > x", "dd if=/usr/bin/policyctl of=x", "mv policyctl x", "base64 /usr/bin/policyctl-hook", "cp /proc/12/exe x", "cd /proc/12 && cp exe /tmp/x", "cp /proc/./12/exe x", "go build -o x ./cmd/policyctl", "install -m 755 bin/policyctl ./x"},
		Miss:    []string{"cp policyctl-docs x", "cp policyctl dist/", "mv policyctl bin/policyctl", "cp -r cmd/policyctl /tmp/x", "sha256sum policyctl", "cat policyctl", "go build ./cmd/policyctl", "go build -o bin/policyctl ./cmd/policyctl", "ls -l /proc/12/exe", "cp -r ~/.config/policyctl /tmp/x", "go build -o app ./cmd/app"},
	}}
}

// selfNames are the programs themselves.
var selfNames = []string{"policyctl", "policyctl-hook", "policyctl.exe", "policyctl-hook.exe"}

// copiesSelf matches a command that gives the program another name.
func copiesSelf(_ *hazard.Scene, c *cmd) (span, bool) {
	if c.Function || !handsOn(c) || asksHelp(c) {
		return span{}, false
	}
	if c.Of("compiles") {
		return c.Span, buildsSelf(c)
	}
	reads, renames, writes := false, false, false
	for e := range c.Effects {
		switch e.Kind {
		case command.Reads, command.Moves:
			reads = reads || anyValue(e.Target, func(v string) bool { return isSelf(v, e.Target.Glob) }) || readsRunning(e)
		case command.Writes:
			writes = true
			renames = renames || e.Target.Open || anyValue(e.Target, func(v string) bool { return !keepsName(v) })
		}
	}
	shown := c.Is(program.Copies) || c.How("turns") == "hex"
	return c.Span, reads && (renames || !writes && !shown)
}

// buildsSelf holds for go build that gives what it builds another name.
func buildsSelf(c *cmd) bool {
	if !sub("build")(c) || !operand(func(v string) bool { return strings.HasSuffix(strings.TrimRight(v, "/"), "cmd/policyctl") })(c) {
		return false
	}
	o := c.Args.Option("o")
	return o != nil && o.HasArg && (o.Arg.Open || anyValue(o.Arg.Set, func(v string) bool { return !keepsName(v) }))
}

// readsRunning reports whether an effect is on the file of a running program.
func readsRunning(e command.Effect) bool {
	return anyValue(e.Target, func(v string) bool { return strings.HasSuffix(v, "exe") }) && slices.ContainsFunc(shell.Paths(e.Dir, e.Target), func(path string) bool {
		return strings.HasPrefix(path, "/proc/") && strings.HasSuffix(path, "/exe")
	})
}

// isSelf reports whether a path, or a pattern that spells the beginning of the
// name, is one of the programs.
func isSelf(v string, glob bool) bool {
	dir, base := path.Split(v)
	if slices.Contains([]string{"cmd", ".config", "share", "state", "doc", "github.com", "etc", "src"}, path.Base(dir)) {
		return false // a directory of that name
	}
	if glob {
		return strings.HasPrefix(base, "po") && slices.ContainsFunc(selfNames, func(n string) bool { return shell.Matches(base, n) })
	}
	return slices.Contains(selfNames, base)
}

// keepsName reports whether what is written under a path is called policyctl
// there too, or may be: the path is that of a directory.
func keepsName(v string) bool {
	return strings.HasSuffix(v, "/") || v == "." || v == ".." || slices.Contains(selfNames, path.Base(v))
}
