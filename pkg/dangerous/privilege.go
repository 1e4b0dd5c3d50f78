package dangerous

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func privilegeRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sudo", Class: "privilege", Programs: program.Names(program.WithRights(program.Raised)),
			Why:     "runs as another user, usually root",
			Instead: "Do it without root: work in the project, install into a virtual environment or the home directory, or ask the user to run this line.",
			Match:   match(rights(program.Raised), either(isGiven, startsShell, option("edit"))),
			Hit:     []string{"sudo apt-get install jq", "sudo -u postgres psql", "doas reboot", "sudo -i", "pkexec vim notes.txt", "sudo -n true", "run0", "pkexec", "dzdo -s", "sudo-rs id", "please ls", "kdesu -c ls", "systemd-run -p User=root make", "setpriv --reuid=0 ls", "sudo -e /etc/hosts", "sudo -s"},
			Miss:    []string{"sudo -l", "sudo -v", "sudo --version", "which sudo", "echo sudo rm", "sudo -k", "sudo-rs -l", "run0 --version", "pkexec --version", "systemd-run --user make", "systemd-run --help", "setpriv --no-new-privs ls", "please --help", "doas -C doas.conf"},
		},
		{
			ID: "switch-user", Class: "privilege", Programs: program.Names(program.WithRights(program.Switched)),
			Why:     "acts as another user or group, usually root",
			Instead: "Do it as the current user, or ask the user to run this line.",
			Match:   match(rights(program.Switched)),
			Hit:     []string{"su", "su - postgres -c 'psql -l'", "su -c whoami", "runuser -u dev -- ls", "sg docker -c 'docker ps'", "newgrp docker", "machinectl shell root@.host"},
			Miss:    []string{"su --help", "man su", "ls su", "runuser --help", "machinectl list", "machinectl shell --help"},
		},
		{
			ID: "enter-namespace", Class: "privilege", Programs: "nsenter",
			Why:     "enters the namespaces of another process, outside its own container",
			Instead: "Use the container tool's own exec, or ask the user.",
			Match:   match(arguments(1)),
			Hit:     []string{"nsenter -t 1 -m -u -i -n sh", "sudo nsenter --target 1 --all bash", "nsenter -t 42 -n ip addr"},
			Miss:    []string{"nsenter --help", "lsns", "grep nsenter run.sh"},
		},
		{
			ID: "grant-capability", Class: "privilege", Kind: "grants-rights",
			Why:     "gives a program some of root's rights",
			Instead: "Use a port above 1024 or a group that has the right, or ask the user.",
			Match:   match(acts("grants-rights")),
			Hit:     []string{"setcap cap_net_bind_service=+ep server", "sudo setcap cap_sys_admin+ep tool", "setcap -r tool"},
			Miss:    []string{"getcap server", "capsh --print", "man setcap"},
		},
	}
}

// rights holds for a command that runs another, or a shell, with such rights.
func rights(want program.Rights) condition {
	return func(c *cmd) bool { return c.Rights() == want }
}

func isGiven(c *cmd) bool     { return c.IsGiven() }
func startsShell(c *cmd) bool { return c.StartsShell() }

// hasPayload holds for a wrapper that runs a command.
func hasPayload(c *cmd) bool { return c.Args.Payload > 0 }
