package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

func changeRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "change-login", Class: "sensitive change",
			Why:     "changes who may log in or act as root",
			Instead: "Ask the user to make this change.",
			Match:   changes("ssh-access account-database sudoers shadow"),
			Hit:     []string{"cat key.pub >> ~/.ssh/authorized_keys", "echo 'dev ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/dev", "sed -i s/a/b/ ~/.ssh/config", "cp passwd /etc/passwd", "cd ~/.ssh && echo k >> authorized_keys", "ln -s ~/.ssh d; cp k d/authorized_keys", "tar xf a.tar -C ~ .ssh/authorized_keys", "ffmpeg -i x ~/.ssh/authorized_keys", "python3 -c \"open('/home/dev/.ssh/authorized_keys','a').write('x')\""},
			Miss:    []string{"cat ~/.ssh/config", "ssh-keyscan host >> ~/.ssh/known_hosts", "grep dev /etc/passwd", "cp /etc/passwd passwd.txt", "ln -s ~/.ssh/config c; rm c", "python3 -c \"print(open('/home/dev/.ssh/config').read())\""},
		},
		{
			ID: "change-startup", Class: "sensitive change",
			Why:     "changes what runs on its own later: at login, on a schedule, as a service, or when a tool starts",
			Instead: "Set it for this session only, or tell the user which line to add.",
			Match:   changes("shell-startup cron user-crontab service-unit autostart direnv directory-environment tool-startup preload shell-history"),
			Hit:     []string{"echo 'export PATH=$PATH:~/x' >> ~/.bashrc", "tee -a ~/.zshrc <<< 'alias x=y'", "cp app.service /etc/systemd/system/", "ln -s ~/x.plist ~/Library/LaunchAgents/x.plist", "echo 'use nix' > .envrc", "cp dotfiles/.bashrc ~/", "rm ~/.profile", "ln -s ~/.bashrc y; echo x >> y", "vim -c 'w! ~/.bashrc' -c q x", "somegen -o ~/.bashrc", "awk '{print > \"/home/dev/.bashrc\"}' x", "sed -n 'w /home/dev/.bashrc' x", "sqlite3 x.db '.output /home/dev/.bashrc' 'select 1'", "cp --parents home/dev/.bashrc /", "sd a b ~/.bashrc"},
			Miss:    []string{"cat ~/.bashrc", "cp ~/.bashrc backup/bashrc", "source ~/.profile", "echo 'add it to ~/.bashrc'", "cp bashrc dotfiles/.bashrc", "awk '{print}' ~/.bashrc", "sed -n 'w out.txt' ~/.bashrc", "python3 -c \"import shutil; shutil.copy('/home/dev/.bashrc', 'bak')\"", "ffmpeg -i a.mov b.mp4"},
		},
		{
			ID: "change-secret", Class: "sensitive change",
			Why:     "changes a file that holds secrets",
			Instead: "Tell the user which value to set in which file; write examples to a file such as .env.example.",
			Match:   changesSecret,
			Hit:     []string{"echo TOKEN=x >> .env", "cp .env.example .env", "rm ~/.aws/credentials", "mv ~/.ssh/id_rsa /tmp/key", "chmod 644 ~/.ssh/id_rsa", "sed -i s/a/b/ .npmrc", "tee ~/.netrc < x", "ssh-keygen -y > ~/.ssh/id_ed25519", "dd if=x of=server.key", "cd ~/.aws && rm config", "cp -r dotfiles/. ~", "scp host:x/.env .", "rm -r ~/.gnupg", "echo x > infra/prod.tfvars", "sed -i s/a/b/ wp-config.php", "tee /etc/ipsec.secrets < x"},
			Miss:    []string{"cp .env .env.example", "chmod 600 ~/.ssh/id_rsa", "cat .env", "git rm --cached .env", "echo TOKEN=x >> .env.example", "echo 'rm ~/.aws/credentials'", "docker exec web sh -c 'echo a > /app/.env'", "scp .env host:/srv/app/", "docker cp .env web:/app/.env"},
		},
		{
			ID: "change-repository-automation", Class: "sensitive change",
			Why:     "changes what git or the build service runs",
			Instead: "Show the user the change to the hook, the configuration or the pipeline, and ask.",
			Match:   changes("git-hook git-config ci-config"),
			Hit:     []string{"cp hook .git/hooks/pre-commit", "chmod +x .git/hooks/pre-push", "cat > .github/workflows/ci.yml <<'EOF'\non: push\nEOF", "sed -i s/a/b/ .gitlab-ci.yml", "echo '[core]' >> .git/config", "rm -r .github", "mv .git /tmp/git", "echo x >> ~/.gitconfig", "cd .git && echo y > hooks/update", "cd .git/hooks && curl -sO https://h.example/pre-commit", "cd .git/hooks && wget https://h.example/pre-push", "git -C .git diff --output=hooks/pre-commit", "gcc x.c -o .git/hooks/pre-commit", "prettier --write .github/workflows/ci.yml", "node -e \"require('fs').writeFileSync('.git/hooks/pre-commit','x')\""},
			Miss:    []string{"cat .github/workflows/ci.yml", "rm .git/index.lock", "echo '*.log' >> .gitignore", "cp .git/config config.bak", "sed -n 1,5p .gitlab-ci.yml", "git add .github/workflows/ci.yml", "git archive -o x.tgz HEAD", "prettier --check .github/workflows/ci.yml", "node -e \"require('fs').readFileSync('.git/config')\""},
		},
		{
			ID: "change-agent-config", Class: "sensitive change",
			Why:     "changes what a coding agent may do, or what runs along with it",
			Instead: "Ask the user to change the agent's configuration.",
			Match:   changes("agent-config agent-hook"),
			Hit:     []string{"echo '{}' > .claude/settings.json", "cp mcp.json .mcp.json", "sed -i s/ask/allow/ ~/.codex/config.toml", "rm -r .claude/hooks", "tee .cursor/mcp.json < x.json"},
			Miss:    []string{"cat .claude/settings.json", "echo note >> CLAUDE.md", "cp .mcp.json backup.json", "ls .cursor"},
		},
		{
			ID: "change-editor-config", Class: "sensitive change",
			Why:     "changes programs that an editor runs",
			Instead: "Show the user the setting or the task, and ask.",
			Match:   changes("editor-config"),
			Hit:     []string{"echo '{}' > .vscode/tasks.json", "cp settings.json .vscode/", "echo 'set x' >> ~/.vimrc", "mkdir .devcontainer"},
			Miss:    []string{"cat .vscode/settings.json", "echo root=true > .editorconfig", "cp .vscode/tasks.json tasks.bak"},
		},
		{
			ID: "change-system", Class: "sensitive change",
			Why:     "changes the system or the programs that a user runs by name",
			Instead: "Stay in the project directory, or ask the user to install or configure it system-wide.",
			Match:   changes("path-directory system-config system-file"),
			Hit:     []string{"cp tool /usr/local/bin/tool", "curl -o ~/.local/bin/x https://x.example", "echo '1.2.3.4 a' >> /etc/hosts", "install -m 755 tool ~/bin", "ln -s $PWD/x /usr/bin/x", "rm /usr/lib/x.so", "echo 1 > /proc/sys/vm/drop_caches", "go build -o ~/go/bin/x ."},
			Miss:    []string{"ls /usr/local/bin", "cat /etc/hosts", "cp /etc/hosts hosts.txt", "go build -o bin/x .", "echo x > /dev/null", "/usr/bin/env bash run.sh", "docker exec web cp a /etc/a"},
		},
	}
}

// changesSecret matches a command that changes a secret. The rules for entries
// that are secrets and more come before it.
func changesSecret(s *hazard.Scene, c *cmd) (span, bool) {
	if found := changed.About(s, c); found != nil && found.of.Role&sensitive.Secret != 0 {
		return found.at, true
	}
	return span{}, false
}

// changes matches a command that changes a path of the given entries of
// package sensitive.
func changes(ids string) matcher {
	return func(s *hazard.Scene, c *cmd) (span, bool) {
		if found := changed.About(s, c); found != nil && program.HasWord(ids, found.of.ID) {
			return found.at, true
		}
		return span{}, false
	}
}
