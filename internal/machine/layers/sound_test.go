package layers

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
)

const (
	wrong    = "nope: 1\n"
	denyCurl = "permissions: {\"shell curl *\": deny}\n"
	approver = "security: {approval: {service: 'https://approve.test', keys_file: /etc/keys.json, supervisor_id: boss}}\n"
	// halfway is no exception, which only the engine notices.
	halfway = "permissions: {\"file_system read x\": {action: deny, except: [\"file_system read\"]}}\n"
)

// What is wrong in one layer takes no deny from another, and nothing is allowed.
// What is below it counts only where it tightens.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		curl, ls, what, managed, user, outer, inner, variable string
		service                                               bool
	}{
		{"deny", "allow", "nothing is wrong", "", denyCurl + approver, "", "", "", true},
		{"deny", "ask", "the project", "", denyCurl + approver, "", wrong, "", true},
		{"deny", "ask", "the project above", "", denyCurl + approver, wrong, "", "", true},
		{"deny", "ask", "a variable", "", denyCurl + approver, "", "", "approvals.mode=garbage", true},
		{"deny", "ask", "both", "", denyCurl + approver, "", wrong, "approvals.mode=garbage", true},
		{"deny", "ask", "the organisation denies beside a project", denyCurl, approver, "", wrong, "", true},
		{"deny", "ask", "it denies beside a variable", denyCurl, approver, "", "", "approvals.mode=garbage", true},
		{"deny", "ask", "a project denies beside a variable", "", "", denyCurl, "", "approvals.mode=garbage", false},
		{"deny", "ask", "a project denies, one further in is wrong", "", "", denyCurl, wrong, "", false},
		{"deny", "ask", "rules deny what they do not name", "", "rules_default: deny_writes\n", "", wrong, "", false},
		{"deny", "ask", "what only the engine notices", "", denyCurl + approver, "", halfway, "", true},
		{"deny", "ask", "a name that the person's tool has", "", denyCurl + "tools: {x: {aliases: [a]}}\n" + approver, "", "tools: {y: {aliases: [a]}}\n", "", true},
		{"deny", "ask", "the organisation, of which the person stays as far as it tightens", wrong, denyCurl + approver, "", "", "", false},
		{"deny", "ask", "the person", denyCurl, wrong + approver, "", "", "", false},
		{"deny", "ask", "the person and the project", denyCurl, wrong, "", wrong, "", false},
		{"deny", "ask", "what only the engine notices, of the person", denyCurl, halfway, "", wrong, "", false},
	} {
		tr := newTree(t)
		for name, content := range map[string]string{managedFile: c.managed, userFile: c.user, outerFile: c.outer, innerFile: c.inner} {
			if content != "" {
				tr.policy(name, content)
			}
		}
		var more []config.File
		if c.variable != "" {
			more = append(more, config.Assign(config.Environment, "POLICYCTL_X", c.variable, config.Everything))
		}
		p := tr.load(more...)
		curl, ls := tr.verdict(p, "curl x"), tr.verdict(p, "ls")
		if curl != c.curl || ls != c.ls || (p.Err == nil) != (c.ls == "allow") {
			t.Errorf("%s: curl %s, ls %s, %v", c.what, curl, ls, p.Err)
		}
		if got := p.Service.URL != "" && p.Settings.Approval.Supervisor == "boss"; got != c.service {
			t.Errorf("%s: the service and the approver stay: %t", c.what, got)
		}
	}
}

// A directory of the environment is no more than the environment.
func TestSoundShadow(t *testing.T) {
	tr := newTree(t)
	tr.Shadow = tr.path("xdg")
	tr.policy(userFile, denyCurl)
	tr.policy("xdg/policy.yaml", wrong)
	p := tr.load()
	if got := tr.verdict(p, "curl x") + " " + tr.verdict(p, "ls"); got != "deny ask" || p.Err == nil {
		t.Errorf("%s, %v", got, p.Err)
	}
}

// A file that cannot be opened leaves the others.
func TestSoundUnread(t *testing.T) {
	for name, want := range map[string]string{innerFile: "deny ask", outerFile: "deny ask", managedFile: "deny ask", "home/.config/policyctl/policy.d/a.yaml": "deny ask"} {
		tr := newTree(t)
		tr.policy(userFile, denyCurl)
		tr.write(name+"/x", "")
		p := tr.load()
		if got := tr.verdict(p, "curl x") + " " + tr.verdict(p, "ls"); got != want || p.Err == nil {
			t.Errorf("%s: %s, want %s, %v", name, got, want, p.Err)
		}
	}
}

// A bundle stays, and one that does not count is named beside a project.
func TestSoundBundle(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, subscribes)
	tr.policy(innerFile, wrong)
	tr.Bundler = &fixed{Bundle: Bundle{Files: policyOf(denyCurl)}}
	if got := tr.verdict(tr.load(), "curl x"); got != "deny" {
		t.Error(got)
	}
	tr.Bundler = &fixed{Bundle: Bundle{Err: os.ErrDeadlineExceeded}}
	p := tr.load()
	if got := tr.verdict(p, "curl x"); got != "ask" || !strings.Contains(p.Err.Error(), "bundle acme") || !strings.Contains(p.Err.Error(), "nope") {
		t.Errorf("%s, %v", got, p.Err)
	}
}

// While a project is wrong from the beginning, edits of the person count, and
// bad ones leave what they denied.
func TestSoundLive(t *testing.T) {
	tr := newTree(t)
	tr.policy(innerFile, wrong)
	l, _ := tr.follow()
	for _, s := range []struct {
		want, what string
		edit       func()
	}{
		{"ask", "a project is wrong", func() {}},
		{"deny", "the person denies", func() { tr.policy(userFile, denyMake) }},
		{"deny", "the person's edit is bad", func() { tr.policy(userFile, wrong) }},
		{"ask", "the person allows", func() { tr.policy(userFile, allowMake) }},
		{"allow", "the project is corrected", func() { tr.policy(innerFile, "") }},
		{"allow", "and wrong again", func() { tr.policy(innerFile, wrong) }},
	} {
		s.edit()
		if got := tr.decide(l.Engine(), "make x"); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
	}
}

// A policy without the files that are wrong is another one.
func TestSoundRevision(t *testing.T) {
	tr := newTree(t)
	tr.policy(userFile, denyCurl)
	whole := tr.load().Revision
	tr.policy(innerFile, wrong)
	if got := tr.load().Revision; got == "" || got == whole {
		t.Errorf("%q, and without a file %q", whole, got)
	}
}
