package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func privilegeRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sudo", Class: "privilege", Programs: "sudo doas pkexec gosu su-exec run0 gsudo",
			Why:     "runs with the rights of another user, usually root",
			Instead: "Do it without root: work in the project, install into a virtual environment or the home directory, or ask the user to run this line.",
			Match:   match(arguments(1), not(both(option("list", "validate", "reset-timestamp", "remove-timestamp", "version", "V"), not(hasPayload)))),
			Hit:     []string{"sudo apt-get install jq", "sudo -u postgres psql", "doas reboot", "sudo -i", "pkexec vim notes.txt", "sudo -n true"},
			Miss:    []string{"sudo -l", "sudo -v", "sudo --version", "which sudo", "echo sudo rm", "sudo -k"},
		},
		{
			ID: "switch-user", Class: "privilege", Programs: "su runuser machinectl",
			Why:     "acts as another user, usually root",
			Instead: "Do it as the current user, or ask the user to run this line.",
			Match:   match(either(named("su", "runuser"), verbs("shell", "login"))),
			Hit:     []string{"su", "su - postgres -c 'psql -l'", "su -c whoami", "runuser -u dev -- ls"},
			Miss:    []string{"su --help", "man su", "ls su"},
		},
		{
			ID: "enter-namespace", Class: "privilege", Programs: "nsenter",
			Why:     "enters the namespaces of another process, out of its own container",
			Instead: "Use the container tool's own exec, or ask the user.",
			Match:   match(arguments(1)),
			Hit:     []string{"nsenter -t 1 -m -u -i -n sh", "sudo nsenter --target 1 --all bash", "nsenter -t 42 -n ip addr"},
			Miss:    []string{"nsenter --help", "lsns", "grep nsenter run.sh"},
		},
		{
			ID: "grant-capability", Class: "privilege", Programs: "setcap capsh",
			Why:     "gives a program rights of root",
			Instead: "Use a port above 1024 or a group that has the right, or ask the user.",
			Match:   match(either(both(named("setcap"), arguments(1)), argument(hasPrefix("--addamb", "--inh", "--keep")))),
			Hit:     []string{"setcap cap_net_bind_service=+ep server", "sudo setcap cap_sys_admin+ep tool", "setcap -r tool"},
			Miss:    []string{"getcap server", "capsh --print", "man setcap"},
		},
	}
}

// hasPayload holds for a wrapper that runs a command.
func hasPayload(c *command) bool { return c.Args.Payload > 0 }
