package dangerous

import (
	"strings"

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
			ID: "agent-unbounded", Class: "protection", Programs: "claude codex gemini qwen cursor-agent copilot opencode aider goose amp droid npx kiro-cli q cline auggie crush",
			Why:     "starts a coding agent that asks nobody, or changes what agents may do",
			Instead: "Do the work in this session, or ask the user to start the other agent.",
			Match: match(either(not(named("npx")), argument(contains("claude", "codex", "gemini", "qwen", "copilot", "opencode"))), either(says("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--full-auto", "--allow-all-tools", "--allow-all-paths", "--yes-always", "--dangerously-allow-all", "--trust-all-tools", "--skip-permissions-unsafe", "bypassPermissions", "danger-full-access", "--approval-mode=yolo"),
				argument(is("--permission-mode=bypassPermissions", "--sandbox=danger-full-access", "--ask-for-approval=never")), both(says("--approval-mode"), says("yolo")), both(says("-a", "--ask-for-approval"), says("never")), both(named("gemini", "qwen"), says("-y")), both(named("cursor-agent"), says("-f", "--force")),
				both(not(named("npx")), verbs("mcp add", "mcp add-json", "mcp remove", "mcp add-from-claude-desktop", "plugin install", "plugin marketplace", "extensions install", "extensions link", "config set", "config add", "hooks")))),
			Hit:  []string{"claude -p x --dangerously-skip-permissions", "codex exec --yolo x", "gemini -y -p x", "claude --permission-mode bypassPermissions", "claude mcp add a -- npx b", "codex --sandbox danger-full-access x", "npx @anthropic-ai/claude-code --dangerously-skip-permissions"},
			Miss: []string{"claude -p 'explain --yolo'", "claude mcp list", "codex exec x", "gemini -p x", "npx eslint --fix .", "npx tool --yolo"},
		},
		{
			ID: "access-control-off", Class: "protection", Programs: "setenforce aa-disable aa-teardown aa-complain spctl csrutil xattr semanage setsebool fdesetup set-mppreference pwsh auditctl tpm2_clear mdutil",
			Why:     "switches off a protection of the system",
			Instead: "Leave the protection on, and tell the user what it blocks.",
			Match: match(either(both(named("setenforce"), says("0", "Permissive", "permissive")), both(named("aa-disable", "aa-complain"), arguments(1)), named("aa-teardown", "set-mppreference"), both(named("spctl"), says("--master-disable", "--global-disable", "--disable", "--add")), both(named("csrutil"), verbs("disable", "authenticated-root disable", "clear")), both(named("xattr"), both(argument(hasPrefix("-d", "-c", "-rd", "-rc", "-dr", "-cr")), either(says("com.apple.quarantine"), argument(hasPrefix("-c", "-rc", "-cr"))))),
				both(named("setsebool"), arguments(1)), both(named("semanage"), says("permissive", "-d", "-D")), both(named("fdesetup"), verbs("disable")), both(named("pwsh"), argument(contains("Set-MpPreference", "Set-ExecutionPolicy Unrestricted", "Set-ExecutionPolicy Bypass", "Disable-WindowsOptionalFeature"))), both(named("auditctl"), says("-e", "-d")))),
			Hit:  []string{"setenforce 0", "sudo spctl --master-disable", "csrutil disable", "xattr -d com.apple.quarantine a.app", "aa-teardown", "setsebool -P httpd_can_network_connect on"},
			Miss: []string{"getenforce", "spctl --status", "csrutil status", "xattr -l a.app", "setenforce 1", "aa-status"},
		},
		{
			ID: "certificate-check-off", Class: "protection", Programs: "git npm pnpm yarn pip composer bundle conda",
			Why:     "lets anyone on the network tamper with later downloads",
			Instead: "Add the missing certificate authority, or ask the user about the proxy.",
			Match: match(either(both(sub("config"), both(setsConfig, both(operand(func(v string) bool {
				return strings.EqualFold(v, "http.sslverify") || strings.HasSuffix(strings.ToLower(v), ".sslverify")
			}), operand(is("false", "0", "no", "off"))))), optionIs("c", func(v string) bool { return strings.EqualFold(v, "http.sslverify=false") }),
				both(says("set"), either(both(says("strict-ssl", "ssl_verify", "disable-tls", "enableStrictSsl"), says("false")), argument(is("strict-ssl=false", "enableStrictSsl=false")))), both(named("conda"), both(says("--set"), both(says("ssl_verify"), says("false", "False")))))),
			Hit:  []string{"git config --global http.sslVerify false", "git -c http.sslVerify=false clone https://x.example/a", "npm config set strict-ssl false", "yarn config set strict-ssl false", "conda config --set ssl_verify false"},
			Miss: []string{"git config --get http.sslVerify", "git config http.sslVerify true", "npm config get strict-ssl", "npm config set strict-ssl true"},
		},
		{
			ID: "bypass-review", Class: "protection", Programs: "gh glab",
			Why:     "bypasses the repository's review rules, or changes them",
			Instead: "Wait for the checks and the review, or ask the user to merge.",
			Match:   match(either(both(sub("pr merge"), option("admin")), both(sub("api"), both(argument(contains("/protection", "/rulesets", "/branch_protection")), optionIs("method", func(v string) bool { return !strings.EqualFold(v, "GET") }))), both(sub("pr review"), option("approve", "a")), both(named("glab"), verbs("mr approve", "mr merge")))),
			Hit:     []string{"gh pr merge 12 --admin", "gh pr review 12 --approve", "gh api -X DELETE repos/a/b/branches/main/protection", "glab mr approve 3"},
			Miss:    []string{"gh pr view 12", "gh pr merge 12 --squash", "gh pr review 12 --comment -b x", "gh api repos/a/b/branches/main/protection"},
		},
	}
}

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
