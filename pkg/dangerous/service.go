package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func serviceRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "service-stop", Class: "service", Kind: "stops-services",
			Why:     "stops a service or keeps it from starting",
			Instead: "Look at it with `systemctl status`, and ask the user to stop it.",
			Match:   match(acts("stops-services")),
			Hit:     []string{"systemctl stop nginx", "sudo systemctl disable --now docker", "service postgresql stop", "launchctl unload ~/Library/LaunchAgents/a.plist", "systemctl --user mask a", "supervisorctl stop all"},
			Miss:    []string{"systemctl status nginx", "systemctl list-units", "service --status-all", "launchctl list", "systemctl is-active stop", "journalctl -u nginx"},
		},
		{
			ID: "service-change", Class: "service", Kind: "changes-services",
			Why:     "starts or restarts a service, or makes it start automatically",
			Instead: "Start the program in the project for this session, or ask the user to start the service.",
			Match:   match(acts("changes-services")),
			Hit:     []string{"systemctl restart nginx", "systemctl enable --now app", "service nginx reload", "launchctl load a.plist", "systemctl daemon-reload"},
			Miss:    []string{"systemctl status nginx", "systemctl cat nginx", "service nginx status", "launchctl print system", "npm start"},
		},
	}
}
