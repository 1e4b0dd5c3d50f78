package policyctl.admission_test

import data.policyctl.admission

monday := "2026-01-05T10:00:00Z"

sunday := "2026-01-04T10:00:00Z"

ids(entries) := {entry.id | some entry in entries}

# command returns a simple command of a line that names hosts.
command(index, words, more) := object.union(
	{
		"index": index, "program": words[0], "path": words[0], "dir": "/w", "readonly": false, "dangerous": [],
		"words": [{"text": word, "known": true} | some word in words],
		"reads": [], "writes": [], "deletes": [], "moves": [], "alters": [], "runs": [], "hosts": [], "parent": null,
	},
	more,
)

made_by(name) := {
	"id": "1", "tool": name, "input": {}, "agent": "",
	"dir": "/w", "project_dir": "/w", "time": monday,
}

shell(commands, call) := {
	"call": object.union(made_by("shell"), call),
	"tool": {"name": "shell", "kind": "shell", "risk": "high", "groups": []},
	"records": [], "record": null, "commands": commands, "unreadable": null,
}

tool(name, kind, risk, records, call) := {
	"call": object.union(made_by(name), call),
	"tool": {"name": name, "kind": kind, "risk": risk, "groups": []},
	"records": records, "record": null, "commands": [], "unreadable": null,
}

fetching(host) := tool("fetch", "fetch", "medium", [record], {}) if {
	record := {"sensitivity": "read", "command": null, "facets": {"http": {"host": host}}}
}

connecting(hosts) := shell([command(0, ["curl", "x"], {"hosts": hosts})], {})

test_blocked_host if {
	ids(admission.deny) == {"acme-blocked-host"} with input as connecting(["transfer.sh"])
}

test_blocked_host_names_its_command if {
	fetches := command(1, ["curl", "x"], {"hosts": ["transfer.sh"]})
	some entry in admission.deny with input as shell([command(0, ["ls"], {}), fetches], {})
	entry.command == 1
}

test_blocked_below if {
	ids(admission.deny) == {"acme-blocked-host"} with input as connecting(["A.Transfer.SH."])
}

test_blocked_in_a_tool if {
	ids(admission.deny) == {"acme-blocked-host"} with input as fetching("x.webhook.site")
}

test_blocked_one_of_several if {
	ids(admission.deny) == {"acme-blocked-host"} with input as connecting(["example.com", "pastebin.com"])
}

test_no_blocked_host if {
	count(admission.deny) == 0 with input as connecting(["example.com"])
}

test_no_blocked_lookalike if {
	count(admission.deny) == 0 with input as connecting(["nottransfer.sh", "transfer.sh.example.com"])
}

test_no_blocked_host_in_a_tool if {
	count(admission.deny) == 0 with input as fetching("example.com")
}

test_other_list if {
	count(admission.deny) == 0 with input as connecting(["transfer.sh"]) with data.acme.blocked_hosts as []
}

test_unknown_host_asks if {
	ids(admission.ask) == {"acme-unknown-host"} with input as connecting([null])
}

test_unknown_host_of_a_tool_asks if {
	ids(admission.ask) == {"acme-unknown-host"} with input as fetching(null)
}

test_known_host_does_not_ask if {
	count(admission.ask) == 0 with input as connecting(["example.com"])
}

test_hours if {
	count(admission.ask) == 0 with input as shell([command(0, ["make"], {})], {})
}

test_weekend if {
	ids(admission.ask) == {"acme-hours"} with input as shell([command(0, ["make"], {})], {"time": sunday})
}

test_before_hours if {
	ids(admission.ask) == {"acme-hours"} with input as shell([command(0, ["make"], {})], {"time": "2026-01-05T07:59:59Z"})
}

test_after_hours if {
	ids(admission.ask) == {"acme-hours"} with input as shell([command(0, ["make"], {})], {"time": "2026-01-05T18:00:00Z"})
}

test_another_zone if {
	count(admission.ask) == 0 with input as shell([command(0, ["make"], {})], {"time": "2026-01-05T19:30:00+02:00"})
}

test_no_time_asks if {
	ids(admission.ask) == {"acme-hours"} with input as timeless
}

timeless := object.union(object.remove(makes, ["call"]), {"call": {"agent": "", "project_dir": "/w"}}) if {
	makes := shell([command(0, ["make"], {})], {})
}

test_weekend_reading if {
	count(admission.ask) == 0 with input as shell([command(0, ["ls"], {"readonly": true})], {"time": sunday})
}

test_weekend_one_of_several_changes if {
	commands := [command(0, ["ls"], {"readonly": true}), command(1, ["rm"], {})]
	ids(admission.ask) == {"acme-hours"} with input as shell(commands, {"time": sunday})
}

test_weekend_reading_tool if {
	count(admission.ask) == 0 with input as tool("read", "read", "low", [], {"time": sunday})
}

test_weekend_writing_tool if {
	ids(admission.ask) == {"acme-hours"} with input as tool("write", "write", "medium", [], {"time": sunday})
}

test_weekend_unreadable if {
	unreadable := object.union(shell([], {"time": sunday}), {"unreadable": "it does not parse"})
	ids(admission.ask) == {"acme-hours"} with input as unreadable
}

test_oncall_is_asked_each_time if {
	some entry in admission.ask with input as shell([command(0, ["make"], {})], {"time": sunday})
	entry.approver == "oncall"
	entry.timeout == "10m"
	entry.every_time == true
}

deploying(words, more, call) := shell([command(0, words, more)], object.union({"agent": "release-bot"}, call))

test_deploy if {
	entry := {"id": "acme-deploy", "reason": "the release agent deploys to places for tests", "command": 0}
	admission.allow == {entry} with input as deploying(["./scripts/deploy.sh", "staging"], {}, {})
}

test_deploy_by_another_agent if {
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh", "staging"], {}, {"agent": "claude"})
}

test_deploy_to_production if {
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh", "production"], {}, {})
}

test_deploy_with_an_option if {
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh", "staging", "--force"], {}, {})
}

test_deploy_of_another_script if {
	count(admission.allow) == 0 with input as deploying(["/tmp/scripts/deploy.sh", "staging"], {}, {})
}

test_deploy_elsewhere if {
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh", "staging"], {"dir": "/tmp"}, {})
}

test_deploy_in_an_unknown_directory if {
	nowhere := deploying(["./scripts/deploy.sh", "staging"], {"dir": null}, {"project_dir": null})
	count(admission.allow) == 0 with input as nowhere
}

test_deploy_to_an_unknown_target if {
	words := [{"text": "./scripts/deploy.sh", "known": true}, {"text": null, "known": false}]
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh"], {"words": words}, {})
}

test_deploy_into_a_file if {
	count(admission.allow) == 0 with input as deploying(["./scripts/deploy.sh", "staging"], {"writes": ["/etc/x"]}, {})
}
