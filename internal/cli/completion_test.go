package cli_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// openValues are what the values of flags are that nobody can list. A flag whose value
// is called otherwise in its description offers values.
var openValues = strings.Fields(`ADDRESS DATE DIRECTORY DURATION FILE ID ID=FILE JSON MATCH N NUMBER PATH PORT PROGRAM REVISION SESSION TEXT TIME URL WHEN`)

// openFlags are flags whose value has a name that other flags have for a closed set: names
// of shells and hosts, what an organisation calls its scopes, and who is asked.
var openFlags = strings.Fields(`shell host push-host reviewer bundle-scope bundle.scope`)

// every calls visit for each command below one, and itself.
func every(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		every(sub, visit)
	}
}

// said runs the tool and returns what it prints.
func said(t *testing.T, columns string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	home := t.TempDir()
	cli.Run(context.Background(), console.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getwd: os.Getwd,
		Getenv: func(name string) string { return map[string]string{"HOME": home, "COLUMNS": columns}[name] },
	})
	return out.String()
}

// Each flag with a closed set of values has the shell offer them.
func TestFlagsComplete(t *testing.T) {
	valueName := regexp.MustCompile("`([^`]+)`")
	checked := 0
	every(cli.Commands(), func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind == "bool" || f.Hidden || f.NoOptDefVal != "" {
				return
			}
			name := ""
			if m := valueName.FindStringSubmatch(f.Usage); m != nil {
				name = m[1]
			}
			full := strings.Join(append(slices.Clone(path), f.Name), ".")
			open := slices.Contains(openValues, name) || slices.ContainsFunc(openFlags, func(o string) bool {
				first, last, two := strings.Cut(o, ".")
				return f.Name == o || two && strings.HasPrefix(full, first+".") && f.Name == last
			})
			if _, has := c.GetFlagCompletionFunc(f.Name); !has {
				if !open {
					t.Errorf("policyctl %s --%s: %s: its values are not offered", strings.Join(path, " "), f.Name, f.Usage)
				}
				return
			}
			checked++
			out := said(t, "", append(append([]string{cobra.ShellCompNoDescRequestCmd}, path...), "--"+f.Name, "")...)
			if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) < 2 || strings.HasPrefix(lines[0], ":") {
				t.Errorf("policyctl %s --%s: %q", strings.Join(path, " "), f.Name, out)
			}
		})
	})
	if checked < 40 {
		t.Errorf("only %d flags offer values", checked)
	}
}

// What is offered is what can be given.
func TestOffered(t *testing.T) {
	for _, r := range []struct{ args, want string }{
		{"log --decision |", "deny ask allow"},
		{"log --agent |cl", "claude cline"},
		{"audit list --stage |hard", "hardline"},
		{"audit list --rule |root-d", "root-delete"},
		{"audit list --decision |rej", "rejected rejected_contract"},
		{"audit approvals --decision |a", "approved_once approved_remember auto_approved"},
		{"install --scope |", "user project local managed"},
		{"uninstall --scope |p", "project"},
		{"requests approve --scope |", "once session here anywhere"},
		{"requests deny --scope |", "session here anywhere"},
		{"requests deny --as |re", "rejected request_more rejected_contract"},
		{"requests list --state |p", "pending"},
		{"token create --scope |re", "read record"},
		{"token create --scope |read,re", "read,record"},
		{"eval --scope |p", "plugin= profile="},
		{"eval --set |approvals.m", "approvals.mode="},
		{"serve --passkey-above |n", "none"},
		{"config set |approvals.mo", "approvals.mode"},
		{"config set approvals.yolo |", "true false"},
		{"config set approvals.mode |", "skip manual auto observe"},
		{"config set record.allow_percent |", ""},
		{"config set approvals.mode auto |", ""},
		{"--color |a", "auto always"},
	} {
		before, begun, _ := strings.Cut(r.args, "|")
		out := said(t, "", append(append([]string{cobra.ShellCompNoDescRequestCmd}, strings.Fields(before)...), begun)...)
		got := strings.Fields(out[:strings.LastIndexByte(out, ':')])
		want := strings.Fields(r.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", r.args, got, want)
		}
	}
}
