package shell

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/pkg/program"
)

// runsVariable lists variables whose text programs run, and those programs
// (git(1), man(1), less(1), systemctl(1), rsync(1), crontab(1), sudo(8), and
// the tools' own manuals).
func runsVariable() []struct{ variables, programs string } {
	return []struct{ variables, programs string }{
		{"GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND", "git"},
		{"PAGER", "git man systemctl journalctl loginctl psql mysql gh aws bat batcat delta glow hg svn ri pydoc perldoc"},
		{"npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL", "npm pnpm yarn"},
		{"MANPAGER MANOPT", "man"},
		{"SYSTEMD_PAGER", "systemctl journalctl loginctl"},
		{"GH_PAGER GH_EDITOR GH_BROWSER", "gh"},
		{"BAT_PAGER", "bat batcat"},
		{"AWS_PAGER", "aws"},
		{"PSQL_PAGER PSQL_EDITOR", "psql"},
		{"EDITOR VISUAL", "git crontab sudoedit visudo vipw vigr systemctl gh hg svn less fc psql mysql edquota ansible-vault sops chezmoi " + program.Names(program.IsCluster)},
		{"SUDO_EDITOR SUDO_ASKPASS", "sudo dzdo sudo-rs sudoedit"},
		{"SYSTEMD_EDITOR", "systemctl"},
		{"KUBE_EDITOR", program.Names(program.IsCluster)},
		{"SVN_EDITOR SVN_SSH", "svn"},
		{"HGEDITOR", "hg"},
		{"FCEDIT", "fc"},
		{"BROWSER", "xdg-open sensible-browser gh git man python python3"},
		{"LESSOPEN LESSCLOSE", "less git man"},
		{"RSYNC_RSH RSYNC_CONNECT_PROG", "rsync"},
		{"CVS_RSH", "cvs"},
		{"FZF_DEFAULT_COMMAND", "fzf sk"},
		{"SSH_ASKPASS", "ssh ssh-add git wget"},
		{"PROMPT_COMMAND PS0 PS1 PS2 PS4", "bash rbash"},
		{"PS1 PS2 PS4", "sh dash zsh ksh mksh"},
		{"BASH_ENV", "bash rbash sh"},
		{"ENV", "sh dash ash ksh mksh"},
		{"PYTHONSTARTUP", "python pypy ipython"},
		{"NODE_OPTIONS", "node nodejs tsx ts-node npm npx yarn pnpm corepack next vite jest vitest mocha eslint tsc webpack"},
		{"RUBYOPT", "ruby jruby irb rake bundle gem rails rspec"},
		{"PERL5OPT", "perl prove cpan cpanm"},
		{"TAR_OPTIONS", "tar gtar"},
		{"MAKEFLAGS GNUMAKEFLAGS MAKEFILES", "make gmake"},
		{"GOFLAGS", "go"},
		{"FZF_DEFAULT_OPTS", "fzf sk"},
		{"LESS", "less"},
		{"BORG_RSH BORG_PASSCOMMAND", "borg"},
		{"RESTIC_PASSWORD_COMMAND", "restic"},
		{"RCLONE_PASSWORD_COMMAND RCLONE_SFTP_SSH", "rclone"},
		{"WGET_ASKPASS", "wget"},
		{"AUTOSSH_PATH", "autossh"},
		{"KUBECTL_EXTERNAL_DIFF", program.Names(program.IsCluster)},
		{"RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC", "cargo"},
	}
}

// variablesOf returns for each program the variables whose text it runs.
var variablesOf = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range runsVariable() {
		for name := range strings.FieldsSeq(row.programs) {
			out[name] = append(out[name], strings.Fields(row.variables)...)
		}
	}
	return out
})

// runVariables are the variables whose text some program runs.
var runVariables = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, row := range runsVariable() {
		for name := range strings.FieldsSeq(row.variables) {
			out[name] = true
		}
	}
	return out
})

// variableCode reads the variables whose text the program of a command runs,
// as the command or the line before it binds them.
func (r *reader) variableCode(i int, own *scope) {
	if len(r.line.Commands[i].Assigns) == 0 && own.vars == nil {
		return
	}
	names := variablesOf()[program.Unversioned(r.line.Commands[i].Name)]
	if r.line.Commands[i].Name == "cargo" { // those of a target
		for _, a := range r.line.Commands[i].Assigns {
			if strings.HasPrefix(a.Name, "CARGO_TARGET_") && (strings.HasSuffix(a.Name, "_RUNNER") || strings.HasSuffix(a.Name, "_LINKER")) {
				names = append(slices.Clip(names), a.Name)
			}
		}
	}
	if c := &r.line.Commands[i]; names == nil && strings.Contains(c.Path, "/") && c.Row() == nil {
		names = scriptVariables[:] // it may be a script
	}
	for _, name := range names {
		value, span, ok := r.variableAt(i, name, own)
		if !ok {
			continue
		}
		switch text := r.textWithin(span); name {
		case "BASH_ENV", "ENV":
			r.substitutions(i, value, span, own) // the shell expands it
			if len(text.Values) == 0 {
				text, _ = r.writtenText(i, value)
			}
			value = text
		case "PYTHONSTARTUP", "NODE_OPTIONS", "RUBYOPT", "PERL5OPT":
			value = startsWith(name, value, text)
		default:
			value = optionsOf(name, value)
		}
		if code := runnable(name, value); len(code.Values) > 0 {
			inner := *own
			inner.funcs = nil
			inner.set(r, name, Set{Open: true}) // so that it does not run itself
			r.evaluate(i, Word{Set: code, Span: span}, &inner)
		}
	}
}

// optionsOf returns the lines whose options are those that a variable holds for a
// program, or the value as it is where it holds none.
func optionsOf(name string, value Set) Set {
	before := ""
	switch name {
	case "TAR_OPTIONS":
		before = "tar "
	case "MAKEFLAGS", "GNUMAKEFLAGS": // make expands the value before it parts it
		if word, err := syntax.Quote(strings.Join(value.Values, " "), syntax.LangBash); err == nil {
			return Set{Values: []string{"make " + word}, Open: true}
		}
		return value
	case "MAKEFILES":
		before = "make -f "
	case "GOFLAGS":
		before = "go test "
	case "FZF_DEFAULT_OPTS":
		before = "fzf "
	case "LESS":
		before = "less "
	default:
		return value
	}
	out := Set{Open: value.Open}
	for _, v := range value.Values {
		out.Values = append(out.Values, before+v)
	}
	return out
}

// scriptVariables are those that name a file which a script for bash runs first.
var scriptVariables = [...]string{"BASH_ENV"}

// startsWith returns the lines that run what a variable has an interpreter run as it
// starts (python(1), node(1), ruby(1), perlrun(1)); text is that of a process
// substitution in it.
func startsWith(name string, value, text Set) Set {
	out := Set{Open: true}
	for _, v := range value.Values {
		fields := strings.Fields(strings.NewReplacer("-r ", "-r", "=", " ").Replace(v))
		switch name {
		case "PYTHONSTARTUP":
			out.Values = append(out.Values, "python3 "+v)
		case "NODE_OPTIONS":
			out.Values = append(out.Values, "node "+v)
		case "RUBYOPT":
			for _, f := range fields {
				if file, ok := strings.CutPrefix(f, "-r"); ok {
					out.Values = append(out.Values, "ruby "+strings.TrimSuffix(file, ".rb")+".rb")
				}
			}
		case "PERL5OPT":
			if _, code, ok := strings.Cut(v, ";"); ok {
				if word, err := syntax.Quote(code, syntax.LangBash); err == nil {
					out.Values = append(out.Values, "perl -e "+word)
				}
				break
			}
			for _, f := range fields {
				if module, ok := strings.CutPrefix(f, "-M"); ok {
					out.Values = append(out.Values, "perl "+strings.ReplaceAll(module, "::", "/")+".pm")
				}
			}
		}
	}
	for _, code := range text.Values {
		if word, err := syntax.Quote(code, syntax.LangBash); err == nil && name == "PYTHONSTARTUP" {
			out.Values = append(out.Values, "python3 -c "+word)
		}
	}
	return out
}

// variableAt returns what a variable is for command i, and where the line says
// so.
func (r *reader) variableAt(i int, name string, own *scope) (value Set, at Span, ok bool) {
	c := &r.line.Commands[i]
	for k := len(c.Assigns) - 1; k >= 0; k-- {
		if a := &c.Assigns[k]; a.Name == name {
			return a.Value, a.Span, true
		}
	}
	if b := own.lookup(name); b != nil && !b.array {
		return b.set, c.Span, true
	}
	return value, at, false
}

// textWithin returns the text of a process substitution inside a span.
func (r *reader) textWithin(at Span) Set {
	for _, s := range r.substs {
		if at.From <= s.span.From && s.span.To <= at.To {
			return s.out
		}
	}
	return Set{}
}

// runnable returns the part of a variable's text that is run. A prompt runs
// its substitutions only.
func runnable(name string, value Set) Set {
	var out Set
	for _, v := range value.Values {
		switch name {
		case "LESSOPEN", "LESSCLOSE":
			v = strings.TrimLeft(v, "|-")
		case "PS0", "PS1", "PS2", "PS4":
			if !strings.Contains(v, "$(") && !strings.Contains(v, "`") {
				continue
			}
			v = ": " + v
		}
		if !strings.HasPrefix(v, "-") { // options for the one that is built in
			out.Values = append(out.Values, v)
		}
	}
	return out
}
