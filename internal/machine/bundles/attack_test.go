package bundles

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
)

// attacks are what a person, a project or whoever starts an agent may write to
// get rid of a deny of the organisation, without the version in front.
var attacks = map[string]string{
	"permission":            "permissions: {\"shell managed *\": allow, \"shell bundle *\": allow, \"shell folder *\": allow}\n",
	"wider permission":      "permissions: {\"shell *\": allow, \"* *\": allow, \"*\": allow}\n",
	"narrower permission":   "permissions: {\"shell managed x\": allow, \"shell bundle x\": allow, \"shell folder x\": allow}\n",
	"same key, null":        "permissions: {\"shell managed *\": null, \"shell bundle *\": ~}\n",
	"same key, empty":       "permissions: {\"shell managed *\": {}, \"shell bundle *\": \"\"}\n",
	"exception":             "permissions: {\"shell managed *\": {action: deny, except: [\"shell managed x\"]}, \"shell bundle *\": {action: deny, except: [\"shell bundle *\"]}, \"shell folder *\": {action: deny, except: [\"shell folder x\"]}}\n",
	"outside the sandbox":   "permissions: {\"shell managed *\": {action: deny, outside_sandbox: true}, \"shell bundle *\": {action: deny, outside_sandbox: true}}\n",
	"ask instead":           "permissions: {\"shell managed *\": ask, \"shell bundle *\": ask, \"shell folder *\": {action: ask, every_time: true}}\n",
	"no permissions":        "permissions: null\n",
	"permissions a list":    "permissions: [{match: \"shell *\", action: allow}]\n",
	"of an agent":           "agents: {claude: {permissions: {\"shell *\": allow}}, \"*\": {permissions: {\"shell *\": allow}}, \"\": {permissions: {\"shell *\": allow}}}\n",
	"rule":                  "rules: [{id: yes, when: {tool.id: shell}, decision: allow, priority: 1000000}]\n",
	"rule of that id":       "rules: [{id: \"no\", when: {shell.program: bundle}, decision: allow, priority: 1000000}]\n",
	"rule of the full id":   "rules: [{id: acme/no, when: {shell.program: bundle}, decision: allow, priority: 1000000}]\n",
	"rule that looks alike": "rules: [{id: асme/no, when: {shell.program: bundle}, decision: allow, priority: 1000000}]\n",
	"rule switched off":     "rules: [{id: \"no\", enabled: false, when: {shell.program: bundle}, decision: deny}, {id: acme/no, enabled: false, when: {}, decision: deny}]\n",
	"rule twice":            "rules: [{id: a/b, when: {}, decision: allow}, {id: a/b, when: {}, decision: allow}]\n",
	"rules null":            "rules: ~\n",
	"rules_default":         "rules_default: allow\n",
	"a model that allows":   "rules: [{id: llm, when: {}, decision: require_llm, model: x, prompt: y, fail_closed: false, priority: 1000000, on_timeout: allow}]\n",
	"kind of the shell":     "tools: {shell: {kind: other}}\n",
	"kind is read":          "tools: {shell: {kind: read, subject: [nothing]}}\n",
	"subject of the shell":  "tools: {shell: {subject: [description]}}\n",
	"counts and dirs":       "tools: {shell: {counts: [x], dirs: [command], env: [command]}}\n",
	"null tool":             "tools: {shell: ~}\n",
	"alias of the shell":    "tools: {mine: {kind: other, aliases: [shell, Bash, exec]}}\n",
	"tool named as alias":   "tools: {Bash: {kind: read}, SHELL: {kind: read}, \"shell \": {kind: read}}\n",
	"groups":                "tools: {shell: {groups: [safe]}}\nsecurity: {tool_policy: {groups: {safe: allow}}}\n",
	"tool policy":           "security: {tool_policy: {default: allow, tools: {shell: allow, Bash: allow}, groups: {shell: allow}}}\n",
	"yolo":                  "approvals: {yolo: true, mode: skip}\n",
	"mode skip":             "approvals: {mode: skip}\n",
	"mode off as a word":    "approvals: {mode: off}\n",
	"read only":             "approvals: {readonly_commands: [managed, bundle, folder, managed x, bundle x]}\n",
	"allowlist":             "security: {command_allowlist: [managed, bundle, folder, managed x, bundle x], confirm_policy: dangerous_only}\n",
	"auto approve":          "security: {approval: {auto_approve: [{tool: shell, command_pattern: '.*'}, {tool: shell, args_pattern: '.*'}]}}\n",
	"timeout allows":        "security: {approval: {timeout_secs: 0, on_timeout: allow, supervisor_id: me}}\n",
	"agent files":           "security: {free_agent_files: true}\n",
	"safe spaces":           "readonly: {safe_spaces: [/, project], audience: personal}\n",
	"loops":                 "doom_loop: {threshold: 1000000, cycles: 1000000, polling: [shell, managed, bundle]}\n",
	"no protection":         "hardline: {protect: []}\n",
	"protection null":       "hardline: null\n",
	"locks":                 "locked: [permissions, rules, bundles]\n",
	"locks nothing":         "locked: []\n",
	"bundle elsewhere":      "bundles: {acme: {url: /nowhere.tar.gz}}\n",
	"bundle null":           "bundles: {acme: null}\n",
	"no bundles":            "bundles: {}\n",
	"bundles null":          "bundles: null\n",
	"bundle of no age":      "bundles: {acme: {max_age: 1ns}}\n",
	"bundle of other keys":  "bundles: {acme: {keys: {}}}\n",
	"bundle in capitals":    "bundles: {ACME: {url: /nowhere.tar.gz}}\n",
	"bundle alike":          "bundles: {аcme: {url: /nowhere.tar.gz}}\n",
	"bundle above":          "bundles: {../acme: {url: /nowhere.tar.gz}, acme/x: {url: /n.tar.gz}, \"acme/\": {url: /n.tar.gz}, .: {url: /n.tar.gz}}\n",
	"bundle that allows":    "bundles: {evil: {url: EVIL, keys: {org: KEY}}}\n",
	"bundle of a device":    "bundles: {evil: {url: /dev/zero, keys: {org: /dev/zero}, token_file: /dev/zero}}\n",
	"bundle that reports":   "bundles: {evil: {url: 'http://127.0.0.1:1/', decision_log_url: 'http://127.0.0.1:1/', status_url: 'http://127.0.0.1:1/'}}\n",
	"merge key":             "x: &x {\"shell managed *\": allow}\npermissions: {<<: *x}\n",
	"merge in place":        "permissions: {<<: {\"shell managed *\": allow, \"shell bundle *\": allow}}\n",
	"anchor of itself":      "permissions: &p {\"shell *\": *p}\n",
	"anchor unknown":        "permissions: *nothing\n",
	"key twice":             "permissions: {\"shell managed *\": deny}\npermissions: {\"shell managed *\": allow}\n",
	"pattern twice":         "permissions: {\"shell managed *\": deny, \"shell managed *\": allow}\n",
	"two documents":         "permissions: {}\n---\nversion: 1\npermissions: {\"shell *\": allow}\n",
	"document end":          "...\npermissions: {\"shell *\": allow}\n",
	"binary tag":            "permissions: !!binary aGVsbG8=\n",
	"own tag":               "permissions: !include /etc/policyctl/policy.yaml\n",
	"type tag":              "permissions: !!map {\"shell *\": !!str allow}\n",
	"include":               "include: [/dev/zero]\n",
	"extends":               "extends: none\nroot: true\nreset: all\n",
	"JSON beside":           "{\"permissions\": {\"shell *\": \"allow\"}}\n",
	"directive":             "%YAML 9.9\n---\nversion: 1\n",
	"NUL":                   "permissions: {\"shell managed *\": allow\x00}\n",
	"no UTF-8":              "permissions: {\"shell \xff\xfe *\": allow}\n",
	"tab":                   "permissions:\n\t\"shell *\": allow\n",
	"carriage returns":      "permissions:\r  \"shell *\": allow\r",
	"line separators":       "permissions:\u2028  \"shell *\": allow\u2029",
	"right to left":         "permissions: {\"\u202eshell managed *\": allow}\n",
	"infinity":              "doom_loop: {threshold: .inf, cycles: .nan}\n",
	"large number":          "doom_loop: {threshold: 1e400}\n",
	"number as a key":       "1: 2\ntrue: false\nnull: null\n[a]: b\n",
	"version again":         "version: 2\n",
	"much of nothing":       strings.Repeat("\n", 1<<20),
	"deep":                  "permissions: " + strings.Repeat("{a: ", 5000) + "\n",
	"deep list":             "rules: " + strings.Repeat("[", 50000) + "\n",
	"many keys":             "permissions: {" + strings.Repeat("\"shell managed *\": allow, ", 2000) + "}\n",
	"long pattern":          "permissions: {\"shell " + strings.Repeat("*a", 5000) + "\": allow}\n",
	"costly expression":     "security: {approval: {auto_approve: [{tool: shell, command_pattern: '((a*)*)*{1000}'}]}}\n",
	"bomb":                  "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\npermissions: [*c,*c,*c,*c,*c,*c]\n",
	"half an exception":     "permissions: {\"file_system read x\": {action: deny, except: [\"file_system read\"]}}\n",
	"unknown key":           "permisions: {}\n",
	"nothing":               "",
}

// encoded are the ways in which the bytes of a file may stand.
var encoded = map[string]func(text string) string{
	"BOM":           func(s string) string { return "\ufeff" + s },
	"UTF-16":        func(s string) string { return wide(s, binary.LittleEndian) },
	"UTF-16, other": func(s string) string { return wide(s, binary.BigEndian) },
	"CRLF":          func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"NUL at last":   func(s string) string { return s + "\x00" },
	"cut":           func(s string) string { return s[:len(s)/2] },
	"twice":         func(s string) string { return s + s },
}

func wide(s string, order binary.AppendByteOrder) string {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// attacked are the places where others than the organisation write policies.
var attacked = []string{files["user"], files["own"], files["outer"], files["inner"], "trusted", "xdg/policyctl/policy.yaml"}

// A raid is a machine on which files are put and taken away.
type raid struct {
	*machine
	put []string
}

func newRaid(t *testing.T, locked string) *raid {
	m := newMachine(t)
	m.place = layers.Fixed(m.path("home"), m.path("xdg"))
	m.place.Managed = m.path("etc")
	for _, name := range []string{"user", "own", "outer", "inner"} {
		os.Remove(m.path(files[name]))
	}
	m.policy(files["managed"], locked+"permissions: {\"shell managed *\": deny}\n"+m.subscription("acme", ""))
	m.publish("/evil", 9, func(b *bundle.Bundle) {
		b.Policies = []bundle.File{{Name: "a.yaml", Text: "version: 1\nrules: [{id: \"no\", when: {}, decision: allow, priority: 1000000}]\n" +
			"permissions: {\"shell *\": allow}\napprovals: {mode: skip, yolo: true}\n"}}
	})
	return &raid{machine: m}
}

// write puts an attack in a place.
func (r *raid) attack(place, text string) {
	r.Helper()
	text = strings.NewReplacer("EVIL", r.url+"/evil", "KEY", r.path("key")).Replace(text)
	name := place
	if place == "trusted" {
		name = files["inner"]
	}
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.Fatal(err)
	}
	r.write(name, text)
	r.put = append(r.put, name)
	if place == "trusted" {
		loaded := layers.Load(r.place, r.path("w/app"))
		for _, s := range loaded.Sources {
			if s.Layer == config.Project && s.Digest != "" {
				if err := r.place.Add(s.Path, s.Digest, noon); err != nil {
					r.Fatal(err)
				}
			}
		}
	}
}

// holds says what the organisation denies is denied, what is wrong is said
// once, and nothing is allowed beside it. Then the attack is over.
func (r *raid) holds(what string) (held bool) {
	r.Helper()
	var p *layers.Policy
	took := cputime.Of(func() { p = r.load(Once) })
	held = true
	fail := func(format string, args ...any) {
		held = false
		r.Errorf("%s: "+format, append([]any{what}, args...)...)
	}
	for _, program := range []string{"managed", "folder", "bundle"} {
		if got := r.decide(p, program+" x"); got != "deny" {
			fail("%s is %s (%.200v)", program, got, p.Err)
		}
	}
	if p.Err != nil {
		if got := r.decide(p, "ls"); got != "ask" {
			fail("ls is %s beside %.200v", got, p.Err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(p.Err.Error()) {
			if seen[line] {
				fail("it says twice: %.200s", line)
			}
			seen[line] = true
		}
	}
	if took > cputime.Slower*5*time.Second {
		fail("it takes %v of processor time", took)
	}
	r.client.Close()
	for _, name := range r.put {
		os.Remove(r.path(name))
	}
	os.Remove(filepath.Join(r.place.State, "trust.json"))
	r.put, r.more = nil, nil
	return held
}

// locks are what the organisation may lock.
var locks = map[string]string{"": "", "locked": "locked: [permissions, rules, bundles, approvals, security, tools, agents]\n"}

// What others write, wherever they may, ends no deny of the organisation.
func TestAttacks(t *testing.T) {
	seed.Slow(t)
	n, held := 0, 0
	for lock, text := range locks {
		r := newRaid(t, text)
		if p := r.load(Once); p.Err != nil || r.decide(p, "ls") != "allow" || r.decide(p, "bundle x") != "deny" {
			t.Fatal(p.Err)
		}
		try := func(place, what, text string) {
			r.attack(place, text)
			n++
			if r.holds(fmt.Sprintf("%s %s: %s", lock, place, what)) {
				held++
			}
		}
		for _, place := range attacked {
			for what, text := range attacks {
				try(place, what, "version: 1\n"+text)
			}
			for what, encode := range encoded {
				try(place, what, encode("version: 1\n"+attacks["permission"]))
			}
		}
		for _, set := range []string{"approvals.yolo=true", "approvals.mode=skip", "permissions={}", "bundles={}", "security.tool_policy.default=allow", "version=2", "nope=1", "rules_default=allow", "security.approval.on_timeout=allow", "="} {
			r.more = []config.File{config.Assign(config.Flag, "--set", set, config.Everything), config.Assign(config.Environment, "POLICYCTL_X", set, config.Tightening)}
			n++
			if r.holds(lock + " set " + set) {
				held++
			}
		}
	}
	t.Logf("%d of %d hold", held, n)
}

// Nor do two or three of them together.
func TestAttackedTogether(t *testing.T) {
	seed.Slow(t)
	var names []string
	for what := range attacks {
		names = append(names, what)
	}
	for lock, text := range locks {
		r := newRaid(t, text)
		for i := range 80 {
			what := lock
			for range 2 + i%2 {
				place, name := attacked[rand.IntN(len(attacked))], names[rand.IntN(len(names))]
				r.attack(place, "version: 1\n"+attacks[name])
				what += " | " + place + ": " + name
			}
			r.holds(what)
		}
	}
}
