package dangerous

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func protectionRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "skip-git-hooks", Class: "protection", Programs: "git",
			Why:     "skips the checks that the project runs on a commit or a push",
			Instead: "Run the checks and fix what they report, or ask the user whether to skip them.",
			Match:   match(sub("commit", "push", "merge", "rebase", "am", "cherry-pick", "pull"), not(option("dry-run")), option("no-verify")),
			Hit:     []string{"git commit --no-verify -m x", "git commit -n -m x", "git push --no-verify", "git commit -anm x"},
			Miss:    []string{"git commit -m '--no-verify'", "git commit -m x", "git merge -n main", "git push -n", "git rebase -n main"},
		},
		{
			ID: "skip-hooks-by-variable", Class: "protection", Programs: "",
			Why:     "switches off the checks that the project runs on a commit or a push",
			Instead: "Run the checks and fix what they report, or ask the user whether to skip them.",
			Match: assigns(func(name, value string) bool {
				switch name {
				case "HUSKY", "LEFTHOOK":
					return value == "0" || value == "false"
				case "HUSKY_SKIP_HOOKS", "HUSKY_SKIP_INSTALL", "SKIP_HOOKS":
					return value != "0" && value != ""
				case "PRE_COMMIT_ALLOW_NO_CONFIG", "LEFTHOOK_EXCLUDE", "OVERCOMMIT_DISABLE":
					return value != "0"
				}
				return false
			}),
			Hit:  []string{"HUSKY=0 git commit -m x", "export HUSKY=0", "LEFTHOOK=0 git push", "env HUSKY=0 git commit -m x"},
			Miss: []string{"HUSKY=1 git commit -m x", "echo HUSKY=0", "unset HUSKY", "CI=1 npm ci"},
		},
		{
			ID: "agent-unbounded", Class: "protection", Programs: program.Names(program.IsRunner), Kind: "agent",
			Why:     "starts a coding agent that asks nobody, or changes what agents may do",
			Instead: "Do the work in this session, or ask the user to start the other agent.",
			Match: match(either(acts("agent"), both(onlyRuns, argument(namesAgent))), either(acts("unbounded"), says("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto",
				"--allow-all-tools", "--allow-all-paths", "--yes-always", "--dangerously-allow-all", "--trust-all-tools", "--skip-permissions-unsafe", "bypassPermissions", "danger-full-access", "--approval-mode=yolo",
				"--permission-mode=bypassPermissions", "--sandbox=danger-full-access", "--ask-for-approval=never"), both(says("--approval-mode"), says("yolo")), both(says("-a", "--ask-for-approval"), says("never")),
				both(not(onlyRuns), verbs("mcp add", "mcp add-json", "mcp remove", "mcp add-from-claude-desktop", "plugin install", "plugin marketplace", "extensions install", "extensions link", "config set", "config add", "hooks")))),
			Hit:  []string{"claude -p x --dangerously-skip-permissions", "codex exec --yolo x", "gemini -y -p x", "claude --permission-mode bypassPermissions", "claude mcp add a -- npx b", "codex --sandbox danger-full-access x", "npx @anthropic-ai/claude-code --dangerously-skip-permissions"},
			Miss: []string{"claude -p 'explain --yolo'", "claude mcp list", "codex exec x", "gemini -p x", "npx eslint --fix .", "npx tool --yolo"},
		},
		{
			ID: "access-control-off", Class: "protection", Programs: program.Names(program.SpeaksPowerShell), Kind: "unguards",
			Why:     "switches off a protection of the system",
			Instead: "Leave the protection on, and tell the user what it blocks.",
			Match:   match(either(acts("unguards"), both(speaksPower, argument(contains("Set-MpPreference", "Set-ExecutionPolicy Unrestricted", "Set-ExecutionPolicy Bypass", "Disable-WindowsOptionalFeature"))))),
			Hit:     []string{"setenforce 0", "sudo spctl --master-disable", "csrutil disable", "xattr -d com.apple.quarantine a.app", "aa-teardown", "setsebool -P httpd_can_network_connect on"},
			Miss:    []string{"getenforce", "spctl --status", "csrutil status", "xattr -l a.app", "setenforce 1", "aa-status"},
		},
		{
			ID: "certificate-check-off", Class: "protection", Kind: "checks-certificates",
			Why:     "lets anyone on the network tamper with later downloads",
			Instead: "Add the missing certificate authority, or ask the user about the proxy.",
			Match: match(acts("checks-certificates"), either(both(sub("config"), setsConfig, operand(isSSLVerify), operand(is("false", "0", "no", "off"))), optionIs("c", func(v string) bool { return strings.EqualFold(v, "http.sslverify=false") }),
				both(says("set"), either(both(says("strict-ssl", "ssl_verify", "disable-tls", "enableStrictSsl"), says("false")), argument(is("strict-ssl=false", "enableStrictSsl=false")))),
				both(says("--set"), says("ssl_verify"), says("false", "False")), both(says("config"), argument(hasPrefix("certificates.")), says("false")))),
			Hit:  []string{"git config --global http.sslVerify false", "git -c http.sslVerify=false clone https://x.example/a", "npm config set strict-ssl false", "yarn config set strict-ssl false", "conda config --set ssl_verify false"},
			Miss: []string{"git config --get http.sslVerify", "git config http.sslVerify true", "npm config get strict-ssl", "npm config set strict-ssl true"},
		},
		{
			ID: "bypass-review", Class: "protection", Kind: "approves-changes",
			Why:     "bypasses the repository's review rules, or changes them",
			Instead: "Wait for the checks and the review, or ask the user to merge.",
			Match:   match(either(acts("approves-changes"), both(named("gh"), sub("api"), argument(contains("/protection", "/rulesets", "/branch_protection")), optionIs("method", func(v string) bool { return !strings.EqualFold(v, "GET") })))),
			Hit:     []string{"gh pr merge 12 --admin", "gh pr review 12 --approve", "gh api -X DELETE repos/a/b/branches/main/protection", "glab mr approve 3"},
			Miss:    []string{"gh pr view 12", "gh pr merge 12 --squash", "gh pr review 12 --comment -b x", "gh api repos/a/b/branches/main/protection"},
		},
	}
}

var agents = sync.OnceValue(func() string { return program.NamesOf("agent") })

// namesAgent holds for a package that has the name of a coding agent in its own.
func namesAgent(v string) bool {
	for name := range strings.FieldsSeq(agents()) {
		const least = 4 // shorter names are parts of many words
		if len(name) > least && strings.Contains(v, name) {
			return true
		}
	}
	return false
}

func speaksPower(c *cmd) bool { return c.Is(program.SpeaksPowerShell) }

// isSSLVerify holds for the setting of git that says if certificates are checked.
func isSSLVerify(v string) bool { return strings.HasSuffix(strings.ToLower(v), ".sslverify") }

// assigns matches a command that gives a variable a value for which the test
// holds, for itself or for what follows.
func assigns(test func(name, value string) bool) matcher {
	return func(_ *hazard.Scene, c *cmd) (span, bool) {
		for i := range c.Assigns {
			a := &c.Assigns[i]
			for _, v := range a.Value.Values {
				if test(a.Name, v) {
					return a.Span, true
				}
			}
		}
		return span{}, false
	}
}
