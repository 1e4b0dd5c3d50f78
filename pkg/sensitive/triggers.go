package sensitive

// triggers are the paths whose change makes other programs run something
// later, or that the system itself depends on. The narrower come first.
var triggers = []Entry{
	{
		ID: "ssh-access", Role: Trigger, Why: "says who may log in by SSH, or what SSH runs",
		Patterns: []string{".ssh/authorized_keys", ".ssh/authorized_keys2", ".ssh/config", ".ssh/config.d/**", ".ssh/rc", ".ssh/environment", "/etc/ssh/**"},
		Hit:      []string{"/home/dev/.ssh/authorized_keys", "/home/dev/.ssh/config", "/etc/ssh/sshd_config", "/root/.ssh/authorized_keys"},
		Miss:     []string{"/home/dev/.ssh/known_hosts", "/home/dev/project/ssh/config", "/home/dev/project/authorized_keys.go"},
	},
	{
		ID: "shell-startup", Role: Trigger, Why: "is run by each new shell",
		Patterns: []string{"~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.bashrc.d/**", "~/.profile", "~/.zshrc", "~/.zshenv", "~/.zprofile", "~/.zlogin", "~/.zlogout", "~/.zshrc.d/**", "~/.zsh/**", "~/.oh-my-zsh/**", "~/.config/zsh/**",
			"~/.config/fish/**", "~/.config/bash/**", "~/.config/nushell/**", "~/.kshrc", "~/.mkshrc", "~/.cshrc", "~/.tcshrc", "~/.login", "~/.logout", "~/.inputrc", "~/.config/environment.d/**", "~/.pam_environment", "~/.xprofile", "~/.xinitrc", "~/.xsession", "~/.xsessionrc",
			"~/.config/powershell/**", "Documents/PowerShell/*profile.ps1", "Documents/WindowsPowerShell/*profile.ps1", "~/.config/starship.toml"},
		Hit:  []string{"/home/dev/.bashrc", "~/.zshrc", ".profile", "/root/.bash_profile", "/home/dev/.config/fish/config.fish", `C:\Users\ann\Documents\PowerShell\Microsoft.PowerShell_profile.ps1`},
		Miss: []string{"/home/dev/project/.bashrc", "/home/dev/project/profile.go", "/home/dev/.config/htop/htoprc"},
	},
	{
		ID: "cron", Role: Trigger, Why: "is run on a schedule",
		Patterns: []string{"/etc/crontab", "/etc/anacrontab", "/etc/cron.d/**", "/etc/cron.hourly/**", "/etc/cron.daily/**", "/etc/cron.weekly/**", "/etc/cron.monthly/**", "/var/spool/cron/**", "/var/spool/at/**", "/var/at/**", "/usr/lib/cron/**", "/windows/system32/tasks/**"},
		Hit:      []string{"/etc/crontab", "/etc/cron.d/backup", "/var/spool/cron/crontabs/dev"},
		Miss:     []string{"/home/dev/project/cron/crontab", "/home/dev/project/etc/crontab", "/var/log/cron.log"},
	},
	{
		ID: "service-unit", Role: Trigger, Why: "is run by the service manager",
		Patterns: []string{"/etc/systemd/**", "/usr/lib/systemd/**", "/lib/systemd/**", "/run/systemd/**", "/usr/local/lib/systemd/**", "~/.config/systemd/**", "~/.local/share/systemd/**", "/etc/init.d/**", "/etc/rc.local", "/etc/rc.d/**", "/etc/init/**", "/etc/runit/**", "/etc/sv/**", "/etc/s6/**", "/etc/supervisor/**", "/usr/local/etc/rc.d/**",
			"~/Library/LaunchAgents/**", "/Library/LaunchAgents/**", "/Library/LaunchDaemons/**", "/System/Library/LaunchAgents/**", "/System/Library/LaunchDaemons/**", "/Library/StartupItems/**"},
		Hit:  []string{"/etc/systemd/system/app.service", "/home/dev/.config/systemd/user/x.service", "/Users/ann/Library/LaunchAgents/x.plist", "/Library/LaunchDaemons/x.plist"},
		Miss: []string{"/home/dev/project/deploy/app.service", "/home/dev/project/systemd/unit.go", "/var/lib/systemd/random-seed"},
	},
	{
		ID: "autostart", Role: Trigger, Why: "is run when a user logs in",
		Patterns: []string{"~/.config/autostart/**", "~/.config/autostart-scripts/**", "~/.config/plasma-workspace/**", "/etc/xdg/autostart/**", "~/.config/i3/**", "~/.config/sway/**", "~/.config/hypr/**", "~/.config/openbox/**", "Start Menu/Programs/Startup/**", "~/.config/upstart/**"},
		Hit:      []string{"/home/dev/.config/autostart/x.desktop", "/home/dev/.config/i3/config", "/etc/xdg/autostart/x.desktop"},
		Miss:     []string{"/home/dev/project/autostart/main.go", "/home/dev/.config/htop/htoprc", "/home/dev/.local/share/applications/x.desktop"},
	},
	{
		ID: "git-hook", Role: Trigger, Why: "is run by git",
		Patterns: []string{".git/hooks/**", ".git/modules/*/hooks/**", "*.git/hooks/**", ".husky/**", ".githooks/**", ".lefthook/**", "lefthook.yml", "lefthook.yaml", "lefthook.toml", ".lefthook.yml", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", ".overcommit.yml", "~/.config/git/hooks/**", "~/.git-templates/**", "~/.git-template/**", "/usr/share/git-core/templates/**"},
		Hit:      []string{"/home/dev/project/.git/hooks/pre-commit", ".git/hooks/post-checkout", "/home/dev/project/.husky/pre-push", "/srv/git/app.git/hooks/update"},
		Miss:     []string{"/home/dev/project/src/hooks/useAuth.ts", "/home/dev/project/.git/index.lock", "/home/dev/project/hooks/README.md"},
	},
	{
		ID: "git-config", Role: Trigger, Why: "names programs that git runs",
		Patterns: []string{".git", ".git/config", ".git/config.worktree", ".git/info/attributes", ".git/modules/*/config", ".git/commondir", "*.git/config", "~/.gitconfig", "~/.config/git/config", "~/.config/git/attributes", "/etc/gitconfig"},
		Hit:      []string{"/home/dev/project/.git/config", "/home/dev/.gitconfig", ".git/config", "/home/dev/project/.git"},
		Miss:     []string{"/home/dev/project/.gitattributes", "/home/dev/project/.gitignore", "/home/dev/project/git/config", "/home/dev/project/.git/index.lock"},
	},
	{
		ID: "ci-config", Role: Trigger, Why: "says what the build service runs, with its secrets",
		Patterns: []string{".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".gitlab/ci/**", "Jenkinsfile", "Jenkinsfile.*", "*.jenkinsfile", ".circleci/**", "azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines/**", ".azuredevops/**", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml", ".drone.star", ".woodpecker.yml", ".woodpecker.yaml", ".woodpecker/**",
			".buildkite/**", "appveyor.yml", ".appveyor.yml", "cloudbuild.yaml", "cloudbuild.yml", "buildspec.yml", "buildspec.yaml", ".semaphore/**", ".teamcity/**", ".forgejo/workflows/**", ".gitea/workflows/**", ".cirrus.yml", ".cirrus.star", ".build.yml", ".builds/**", "codefresh.yml", ".tekton/**", ".harness/**", "wercker.yml", ".goreleaser.yml", ".goreleaser.yaml", ".releaserc"},
		Hit:  []string{".github/workflows/ci.yml", "/home/dev/project/.gitlab-ci.yml", "/home/dev/project/Jenkinsfile", "/home/dev/project/.circleci/config.yml"},
		Miss: []string{"/home/dev/project/.github/dependabot.yml", "/home/dev/project/.github/ISSUE_TEMPLATE/bug.md", "/home/dev/project/docs/workflows/ci.yml", "/home/dev/project/ci.go"},
	},
	{
		ID: "agent-config", Role: Trigger, Why: "says what a coding agent may do, or runs along with it",
		Patterns: []string{".claude/settings.json", ".claude/settings.*.json", ".claude/hooks/**", ".claude/plugins/**", "~/.claude.json", ".claude.json", ".mcp.json", "mcp.json", ".codex/config.toml", ".codex/hooks.json", ".codex/hooks/**", ".codex/rules/**", ".cursor/mcp.json", ".cursor/hooks.json", ".cursor/hooks/**", ".cursor/cli.json", ".cursor/cli-config.json", ".cursor/environment.json", ".cursor/permissions.json",
			".gemini/settings.json", ".gemini/hooks/**", ".gemini/extensions/**", ".gemini/policies/**", ".qwen/settings.json", ".qwen/extensions/**", "opencode.json", "opencode.jsonc", ".opencode/plugin/**", ".opencode/plugins/**", ".opencode/tool/**", "~/.config/opencode/**", ".continue/config.json", ".continue/config.yaml", ".aider.conf.yml", "~/.config/goose/**", ".kiro/settings/**", ".kiro/hooks/**",
			".roo/mcp.json", "cline_mcp_settings.json", "mcp_settings.json", "claude_desktop_config.json", ".amp/settings.json", "~/.config/amp/**", ".factory/settings.json", ".factory/hooks/**", ".copilot/config.json", ".copilot/mcp-config.json", ".github/hooks/**", "~/.codeium/windsurf/mcp_config.json", ".windsurf/hooks.json",
			".policyctl/**", "~/.config/policyctl/**", "~/.local/share/policyctl/**", "~/.local/state/policyctl/**", "/etc/policyctl/**", "/etc/claude-code/**", "/etc/codex/**"},
		Hit:  []string{".claude/settings.json", "/home/dev/project/.claude/settings.local.json", "/home/dev/.codex/config.toml", "/home/dev/project/.mcp.json", "/home/dev/project/.policyctl/policy.yaml", "/home/dev/project/.cursor/mcp.json"},
		Miss: []string{"/home/dev/project/CLAUDE.md", "/home/dev/project/.claude/agents/reviewer.md", "/home/dev/project/.cursor/rules/go.mdc", "/home/dev/project/settings.json"},
	},
	{
		ID: "editor-config", Role: Trigger, Why: "names programs that an editor runs",
		Patterns: []string{".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".vscode/extensions.json", ".vscode/mcp.json", "*.code-workspace", ".idea/runConfigurations/**", ".idea/externalTools.xml", ".idea/workspace.xml", ".idea/watcherTasks.xml", ".run/*.run.xml", ".zed/settings.json", ".zed/tasks.json", "~/.config/zed/**", "~/.vimrc", "~/.vim/**", "~/.config/nvim/**", "~/.exrc", ".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".lvimrc",
			"~/.emacs", "~/.emacs.d/**", "~/.config/emacs/**", "~/.doom.d/**", ".dir-locals.el", ".devcontainer/**", ".devcontainer.json", "~/.config/Code/User/**", "~/.config/Cursor/User/**", "~/Library/Application Support/Code/User/**", "~/Library/Application Support/Cursor/User/**", "AppData/Roaming/Code/User/**", "~/.vscode/extensions/**", "~/.vscode-server/**"},
		Hit:  []string{"/home/dev/project/.vscode/tasks.json", ".vscode/settings.json", "/home/dev/.vimrc", "/home/dev/project/.devcontainer/devcontainer.json"},
		Miss: []string{"/home/dev/project/.editorconfig", "/home/dev/project/tasks.json", "/home/dev/project/src/vscode/settings.ts"},
	},
	{
		ID: "directory-environment", Role: Trigger, Why: "is run on entering the directory",
		Patterns: []string{".envrc", ".autoenv", ".autoenv.zsh", "mise.toml", ".mise.toml", ".mise.*.toml", "mise.*.toml", ".mise/**", "~/.config/mise/**", "~/.config/direnv/**", "~/.local/share/direnv/allow/**"},
		Hit:      []string{".envrc", "/home/dev/project/.envrc", "/home/dev/project/.mise.toml"},
		Miss:     []string{"/home/dev/project/.tool-versions", "/home/dev/project/.nvmrc", "/home/dev/project/envrc.md"},
	},
	{
		ID: "tool-startup", Role: Trigger, Why: "is run when a tool starts",
		Patterns: []string{"sitecustomize.py", "usercustomize.py", "site-packages/*.pth", "dist-packages/*.pth", "~/.pdbrc", "~/.pythonrc", "~/.pythonrc.py", "~/.pythonstartup", "~/.ipython/**", "~/.jupyter/**", "~/.Rprofile", ".Rprofile", "~/.irbrc", "~/.pryrc", ".gdbinit", ".lldbinit", "~/.tmux.conf", "~/.config/tmux/**", "~/.screenrc", "~/.forward", "~/.procmailrc", "~/.mailcap", "~/.curlrc", "~/.wgetrc", "~/.lessfilter", "~/.psqlrc", "~/.sqliterc", "~/.gnupg/gpg.conf",
			".cargo/config", ".cargo/config.toml", ".pnpmfile.cjs", ".pnpmfile.mjs", "~/.gradle/init.gradle", "~/.gradle/init.gradle.kts", "~/.gradle/init.d/**", "~/.mavenrc", ".mvn/extensions.xml", ".mvn/jvm.config", ".mvn/maven.config", "~/.sbt/**", "~/.terraformrc", "~/.config/helm/**", "~/.local/share/helm/plugins/**", "~/.ansible.cfg", "~/.config/gh/config.yml", "~/.config/containers/**"},
		Hit:  []string{"/usr/lib/python3/dist-packages/sitecustomize.py", "/home/dev/.venv/lib/python3.12/site-packages/x.pth", "/home/dev/.gdbinit", "/home/dev/project/.cargo/config.toml"},
		Miss: []string{"/home/dev/project/checkpoints/model.pth", "/home/dev/project/customize.py", "/home/dev/project/Cargo.toml", "/home/dev/project/conftest.py"},
	},
	{
		ID: "preload", Role: Trigger, Why: "is loaded into every program",
		Patterns: []string{"/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d/**", "/etc/environment", "/etc/profile", "/etc/profile.d/**"},
		Hit:      []string{"/etc/ld.so.preload", "/etc/ld.so.conf.d/x.conf", "/etc/profile.d/x.sh"},
		Miss:     []string{"/home/dev/project/etc/profile", "/home/dev/project/preload.c", "/home/dev/project/environment"},
	},
	{
		ID: "account-database", Role: Trigger, Why: "says who may log in and how",
		Patterns: []string{"/etc/passwd", "/etc/group", "/etc/pam.conf", "/etc/pam.d/**", "/etc/security/**", "/etc/polkit-1/**", "/etc/login.defs", "/etc/nsswitch.conf", "/etc/subuid", "/etc/subgid", "/lib/security/**", "/usr/share/polkit-1/**"},
		Hit:      []string{"/etc/passwd", "/etc/pam.d/sshd", "/etc/group"},
		Miss:     []string{"/home/dev/project/etc/passwd", "/home/dev/project/pam.go", "/home/dev/project/group"},
	},
	{
		ID: "path-directory", Role: Trigger, Why: "is a directory in which programs are looked for",
		Patterns: []string{"/bin/**", "/sbin/**", "/usr/bin/**", "/usr/sbin/**", "/usr/local/bin/**", "/usr/local/sbin/**", "/opt/homebrew/bin/**", "/opt/local/bin/**", "/snap/bin/**", "~/.local/bin/**", "~/bin/**", "~/.cargo/bin/**", "~/go/bin/**", "~/.bun/bin/**", "~/.deno/bin/**", "~/.npm-global/bin/**", "~/.yarn/bin/**", "~/.pyenv/shims/**", "~/.rbenv/shims/**", "~/.asdf/shims/**", "~/.nvm/**", "~/.sdkman/**", "~/.krew/bin/**", "/nix/**"},
		Hit:      []string{"/usr/local/bin/tool", "/home/dev/.local/bin/x", "/home/dev/bin/x", "/usr/bin/git"},
		Miss:     []string{"/home/dev/project/bin/tool", "/home/dev/project/local/bin/x", "/opt/app/bin/run"},
	},
	{
		ID: "system-config", Role: Trigger, Why: "is configuration of the system",
		Patterns: []string{"/etc/**", "/usr/local/etc/**", "/opt/homebrew/etc/**", "/proc/sys/**", "/proc/sysrq-trigger", "/sys/**", "/boot/**", "/efi/**", "/dev/mem", "/dev/kmem", "/dev/port"},
		Hit:      []string{"/etc/hosts", "/private/etc/hosts", "/proc/sys/kernel/core_pattern", "/boot/grub/grub.cfg"},
		Miss:     []string{"/home/dev/project/etc/app.conf", "/proc/cpuinfo", "/dev/null"},
	},
	{
		ID: "system-file", Role: Trigger, Why: "is part of the system",
		Patterns: []string{"/usr/**", "/lib/**", "/lib32/**", "/lib64/**", "/libx32/**", "/System/**", "/Library/**", "/Applications/**", "/windows/**", "/program files/**", "/program files (x86)/**", "/programdata/**", "/var/lib/dpkg/**", "/var/lib/rpm/**", "/var/lib/apt/**"},
		Except:   []string{"/usr/src/**", "/usr/local/src/**"},
		Hit:      []string{"/usr/lib/x.so", "/lib64/ld-linux.so", `C:\Windows\notepad.exe`, "/usr/share/dict/words"},
		Miss:     []string{"/home/dev/project/usr/lib/x.so", "/var/tmp/x", "/opt/app/lib/x.so", "/usr/src/app/main.go"},
	},
}
