package policyctl.admission

# No call may publish a package.
deny contains {"id": "no-publish", "reason": "releases are made by the pipeline", "command": c.index} if {
	some c in input.commands
	c.program == "npm"
	c.words[1].text == "publish"
}
