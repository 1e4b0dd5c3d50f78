package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

const above = "version: 1\r\npermissions: {\"shell ls\": allow}\n# about rules\n"

func ruleLines(n int) string {
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - id: r%d\n    reason: it is %d\n    priority: %d\n    when: {shell.program: tool%d}\n    decision: %s\n", i, i, i%3, i, []string{"deny", "allow", "require_human"}[i%3])
	}
	return b.String()
}

func preparedFile(t *testing.T, f config.File) config.File {
	t.Helper()
	kept, err := config.Prepare(f)
	if err == nil {
		f.Prepared, err = config.OpenPrepared(kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A file that was prepared is the same policy: its settings and the places of
// what stands below the rules, its revision, and each answer with its source.
func TestPreparedIsTheSamePolicy(t *testing.T) {
	for name, text := range map[string]string{
		"rules last":       above + ruleLines(30),
		"rules between":    above + ruleLines(30) + "\n# about commands\nsecurity: {command_allowlist: [make]}\n",
		"quoted":           above + strings.Replace(ruleLines(30), "rules:", "\"rules\":", 1) + "security: {command_allowlist: [make]}\n",
		"byte order mark":  "\ufeff" + above + ruleLines(30) + "security: {command_allowlist: [make]}\n",
		"end of document":  above + ruleLines(30) + "...\n",
		"without line end": above + strings.TrimSuffix(ruleLines(30), "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			whole := config.File{Layer: config.User, Name: "policy.yaml", Data: []byte(text), Admit: config.Everything}
			beside := config.File{Layer: config.User, Name: "more.yaml", Data: []byte("version: 1\nrules:\n  - {id: first, priority: 2, when: {shell.program: tool2}, decision: deny}\n"), Admit: config.Everything}
			want, err := config.Load(policy.Defaults(), whole, beside)
			if err != nil {
				t.Fatal(err)
			}
			got, err := config.Load(policy.Defaults(), preparedFile(t, whole), beside)
			if err != nil {
				t.Fatal(err)
			}
			if got.Revision != want.Revision || len(got.Rules) != 1 || len(got.Rules[0].Forms) != 1 || len(got.Rules[0].Rules) != 1 {
				t.Errorf("revision %s, want %s; %+v", got.Revision, want.Revision, got.Rules)
			}
			if fmt.Sprintf("%+v", got.Settings.Allowlist) != fmt.Sprintf("%+v", want.Settings.Allowlist) {
				t.Errorf("%+v", got.Settings.Allowlist)
			}
			for i := range 31 {
				command := fmt.Sprintf("tool%d x", i)
				if diff := cmp.Diff(answers(t, want, command), answers(t, got, command)); diff != "" {
					t.Errorf("%s: %s", command, diff)
				}
			}
		})
	}
}

func answers(t *testing.T, l config.Loaded, command string) string {
	t.Helper()
	e, err := policy.New(l.Settings, policy.Options{Sources: l.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Decide(t.Context(), policy.NewSession("s"), policy.Shell(command, "/w"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %s %s %s %s %s", v.Decision, v.Stage, v.Rule, v.Why, v.Origin, v.Risk)
}

// What forms cannot say is said of the files as they are.
func TestPreparedIsRefused(t *testing.T) {
	file := func(layer, name, text string) config.File {
		return config.File{Layer: layer, Name: name, Data: []byte(text), Admit: config.Everything}
	}
	big := preparedFile(t, file(config.User, "policy.yaml", "version: 1\n"+ruleLines(9)))
	same := file(config.User, "more.yaml", "version: 1\nrules:\n  - {id: r3, when: {shell.program: x}, decision: deny}\n")
	lesser := big
	lesser.Admit = config.Tightening
	for name, files := range map[string][]config.File{
		"one id beside": {big, same},
		"one id in two": {big, preparedFile(t, same)},
		"locked":        {file(config.Managed, "m.yaml", "version: 1\nlocked: [rules]\n"), big},
		"not in full":   {lesser},
	} {
		whole := slices.Clone(files)
		for i := range whole {
			whole[i].Prepared = nil
		}
		got, err := config.Load(policy.Defaults(), files...)
		want, wantErr := config.Load(policy.Defaults(), whole...)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || got.Revision != want.Revision || len(got.Rules) != len(want.Rules) {
			t.Errorf("%s: %v, want %v", name, err, wantErr)
		}
		for _, layer := range got.Rules {
			if len(layer.Forms) > 0 {
				t.Errorf("%s: the form counts", name)
			}
		}
	}
	other := file(config.Managed, "m.yaml", string(same.Data))
	if _, err := config.Load(policy.Defaults(), other, big); err != nil {
		t.Errorf("another layer has the id: %v", err)
	}
	for name, text := range map[string]string{
		"JSON":     `{"version": 1, "rules": [{"id": "x", "when": {"shell.program": "x"}, "decision": "deny"}]}`,
		"no rules": "version: 1\n", "a mistake": "version: 1\nrules:\n  - {id: x, when: {}, decision: deny}\n",
		"a mistake elsewhere": "version: 1\npermisions: {}\n" + ruleLines(3),
	} {
		if _, err := config.Prepare(file(config.User, "policy.yaml", text)); err == nil {
			t.Errorf("%s is prepared", name)
		}
	}
}
