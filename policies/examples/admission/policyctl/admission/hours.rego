package policyctl.admission

# Outside working hours somebody must be awake who has agreed to what changes
# something. A call without a time asks as well.
ask contains {
	"id": "acme-hours",
	"reason": "it is outside working hours; the person on call agrees to what changes something",
	"approver": "oncall",
	"timeout": "10m",
	"every_time": true,
} if {
	changes
	not working
}

changes if input.unreadable != null

changes if {
	some command in input.commands
	command.readonly == false
}

changes if {
	input.tool.kind != "shell"
	input.tool.risk != "low"
}

working if {
	ns := time.parse_rfc3339_ns(input.call.time)
	tz := data.acme.hours.tz
	time.weekday([ns, tz]) in data.acme.hours.days
	[hour, _, _] := time.clock([ns, tz])
	hour >= data.acme.hours.from
	hour < data.acme.hours.until
}
