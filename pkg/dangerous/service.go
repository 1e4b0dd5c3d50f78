package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func serviceRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "service-stop", Class: "service", Programs: "systemctl service launchctl sc rc-service rc-update initctl supervisorctl update-rc.d chkconfig sv svc net",
			Why:     "stops a service or keeps it from starting",
			Instead: "Look at it with `systemctl status`, and ask the user to stop it.",
			Match: match(either(both(named("systemctl"), sub("stop", "disable", "mask", "kill", "reset-failed", "revert")), both(named("service", "rc-service"), says("stop", "--full-restart")), both(named("launchctl"), verbs("unload", "bootout", "remove", "disable", "stop", "kill")), both(named("sc", "net"), verbs("stop", "delete", "config", "pause")), both(named("initctl", "sv", "supervisorctl"), verbs("stop", "down", "shutdown", "remove", "force-stop")),
				both(named("rc-update"), verbs("del", "delete")), both(named("update-rc.d"), says("remove", "disable")), both(named("chkconfig"), says("off", "--del")), both(named("svc"), says("-d", "-k", "-x")))),
			Hit:  []string{"systemctl stop nginx", "sudo systemctl disable --now docker", "service postgresql stop", "launchctl unload ~/Library/LaunchAgents/a.plist", "systemctl --user mask a", "supervisorctl stop all"},
			Miss: []string{"systemctl status nginx", "systemctl list-units", "service --status-all", "launchctl list", "systemctl is-active stop", "journalctl -u nginx"},
		},
		{
			ID: "service-change", Class: "service", Programs: "systemctl service launchctl sc rc-service initctl supervisorctl update-rc.d chkconfig sv net",
			Why:     "starts or restarts a service, or makes it start automatically",
			Instead: "Start the program in the project for this session, or ask the user to start the service.",
			Match: match(either(both(named("systemctl"), sub("start", "restart", "reload", "enable", "reenable", "unmask", "try-restart", "reload-or-restart", "daemon-reexec", "daemon-reload", "edit", "set-property", "set-default", "preset", "link", "set-environment", "import-environment")), both(named("service", "rc-service"), says("start", "restart", "reload", "force-reload")),
				both(named("launchctl"), verbs("load", "bootstrap", "kickstart", "enable", "start", "setenv", "config")), both(named("sc", "net"), verbs("start", "create")), both(named("initctl", "sv", "supervisorctl"), verbs("start", "restart", "reload", "up", "update")), both(named("update-rc.d"), says("defaults", "enable")), both(named("chkconfig"), says("on", "--add")))),
			Hit:  []string{"systemctl restart nginx", "systemctl enable --now app", "service nginx reload", "launchctl load a.plist", "systemctl daemon-reload"},
			Miss: []string{"systemctl status nginx", "systemctl cat nginx", "service nginx status", "launchctl print system", "npm start"},
		},
	}
}
