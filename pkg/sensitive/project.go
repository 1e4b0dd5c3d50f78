package sensitive

// projectFiles are the paths of a project whose change is more than work on its files:
// they decide what the project's own commands run, or who must agree to a change.
var projectFiles = []Entry{
	{
		ID: "repository-hook", Role: Project, Why: "is a hook of a bare repository",
		// githooks(5)
		Patterns: []string{"hooks/applypatch-msg", "hooks/pre-applypatch", "hooks/post-applypatch", "hooks/pre-commit", "hooks/pre-merge-commit",
			"hooks/prepare-commit-msg", "hooks/commit-msg", "hooks/post-commit", "hooks/pre-rebase",
			"hooks/post-checkout", "hooks/post-merge", "hooks/pre-push", "hooks/pre-receive", "hooks/update", "hooks/proc-receive", "hooks/post-receive",
			"hooks/post-update", "hooks/reference-transaction", "hooks/push-to-checkout",
			"hooks/pre-auto-gc", "hooks/post-rewrite", "hooks/sendemail-validate", "hooks/fsmonitor-watchman", "hooks/p4-changelist",
			"hooks/p4-prepare-changelist", "hooks/p4-post-changelist", "hooks/p4-pre-submit", "hooks/post-index-change"},
		Hit:  []string{"/home/dev/project/repo/hooks/post-update", "hooks/pre-receive", "/srv/git/app/hooks/update"},
		Miss: []string{"/home/dev/project/src/hooks/useAuth.ts", "/home/dev/project/hooks/README.md", "/home/dev/project/hooks/update.go"},
	},
	{
		ID: "code-owners", Role: Project, Why: "says who must agree to a change",
		Patterns: []string{"CODEOWNERS", ".github/settings.yml"},
		Hit:      []string{"/home/dev/project/CODEOWNERS", "/home/dev/project/.github/CODEOWNERS", "docs/CODEOWNERS"},
		Miss:     []string{"/home/dev/project/docs/codeowners.md", "/home/dev/project/OWNERS.md", "/home/dev/project/src/settings.yml"},
	},
	{
		ID: "installed-program", Role: Project, Why: "is a program that the project's commands start by its name",
		Patterns: []string{"node_modules/.bin/**", "*venv*/bin/**", "*virtualenv*/bin/**", "bin/activate", "bin/activate_this.py", "bin/activate.*",
			"*venv*/scripts/**", "env/bin/**", "env/scripts/**", "pyvenv.cfg",
			"vendor/bin/**", ".tox/*/bin/**", ".nox/*/bin/**", ".bundle/config"},
		Hit: []string{"/home/dev/project/node_modules/.bin/eslint", "/home/dev/project/.venv/bin/python", "/home/dev/project/venv3/bin/pip",
			"/home/dev/project/app/bin/activate", "vendor/bin/phpunit"},
		Miss: []string{"/home/dev/project/bin/tool", "/home/dev/project/node_modules/eslint/bin/eslint.js", "/home/dev/project/src/venv.py",
			"/home/dev/project/.venv"},
	},
	{
		ID: "module-hook", Role: Project, Why: "is run when an interpreter or a package manager starts",
		Patterns: []string{"*.pth", "*.egg-link", "sitecustomize.pyc", "usercustomize.pyc", "sitecustomize/**", "usercustomize/**", ".yarn/releases/**",
			".yarn/plugins/**", ".yarn/sdks/**", ".yarnrc", ".yarnrc.yml", ".pnp.cjs", ".pnp.js", ".pnp.mjs", ".pnp.loader.mjs"},
		Hit: []string{"/home/dev/project/src/x.pth", "/home/dev/project/.yarn/releases/yarn-4.1.0.cjs", "/home/dev/project/.pnp.cjs",
			"/home/dev/project/.yarnrc.yml"},
		Miss: []string{"/home/dev/project/src/pnp.js", "/home/dev/project/model.pt", "/home/dev/project/yarn.lock",
			"/home/dev/project/.yarn/cache/x.zip"},
	},
	{
		ID: "policy-name", Role: Project, Why: "has the name of the program that judges what agents do",
		Patterns: []string{"policyctl", "policyctl.exe", "policyctl-hook", "policyctl-hook.exe"},
		Hit:      []string{"/home/dev/project/policyctl", "/home/dev/project/bin/policyctl-hook", "policyctl.exe"},
		Miss:     []string{"/home/dev/project/cmd/policyctl/main.go", "/home/dev/project/docs/policyctl.md", "/home/dev/project/policyctl.yaml"},
	},
}
