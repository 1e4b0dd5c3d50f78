package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func scheduleRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "crontab-change", Class: "schedule", Programs: "crontab",
			Why:     "replaces or removes the jobs that run on a schedule",
			Instead: "Show the jobs with `crontab -l`, and give the user the line to add.",
			Match:   match(not(option("l", "T", "V")), either(option("r", "e", "i"), operands(1), piped, func(c *cmd) bool { return c.Input != nil })),
			Hit:     []string{"crontab -r", "crontab jobs.txt", "(crontab -l; echo '* * * * * x') | crontab -", "crontab -u dev -e", "crontab <<< '@daily x'"},
			Miss:    []string{"crontab -l", "crontab -l -u dev", "cat crontab", "grep -n crontab README.md"},
		},
		{
			ID: "at-job", Class: "schedule", Kind: "plans-jobs",
			Why:     "schedules commands for later, or cancels scheduled ones",
			Instead: "Run the command now, or give the user the line to schedule.",
			Match:   match(acts("plans-jobs")),
			Hit:     []string{"echo ./run.sh | at now + 1 hour", "at -f job.sh midnight", "atrm 3", "batch < job.sh -q b"},
			Miss:    []string{"at -l", "atq", "at -c 3", "cat at"},
		},
		{
			ID: "schedule-unit", Class: "schedule", Kind: "plans-units",
			Why:     "runs commands later or on a schedule, outside this session",
			Instead: "Run the command now, or give the user the unit to install.",
			Match:   match(acts("plans-units")),
			Hit:     []string{"systemd-run --on-active=1h ./run.sh", "schtasks /create /tn a /tr b /sc daily", "launchctl submit -l a -- ./run.sh"},
			Miss:    []string{"systemd-run --help", "schtasks /query", "launchctl list"},
		},
	}
}
