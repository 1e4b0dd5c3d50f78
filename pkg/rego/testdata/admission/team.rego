package policyctl.admission

import data.policyctl.teams

deny contains {"id": "no-publish", "reason": "releases are made by the pipeline", "command": c.index} if {
	some c in input.commands
	c.program in {"npm", "cargo"}
	some w in c.words
	w.text == "publish"
}

deny contains {"id": "no-env", "reason": "secrets stay where they are"} if {
	some r in input.records
	is_string(r.facets.file.path)
	endswith(r.facets.file.path, "/.env")
}

ask contains {"id": "deploy", "reason": "a deployment wants a second pair of eyes", "command": c.index, "approver": "oncall", "timeout": "5m"} if {
	some c in input.commands
	c.program == "kubectl"
	c.words[1].text == "apply"
}

ask contains {"id": "hosts", "reason": "the host is not one of ours"} if {
	some c in input.commands
	some host in c.hosts
	not host in teams.hosts
}

allow contains {"id": "make", "reason": "the build is ours", "command": c.index} if {
	some c in input.commands
	c.program == "make"
}

allow contains {"id": "docs", "reason": "anybody may read the documentation"} if {
	input.tool.kind == "fetch"
	startswith(input.call.input.url, "https://docs.example.com/")
}
