# METADATA
# title: The policy of acme
# description: What coding agents at acme may do, beside permissions and rules.
# entrypoint: true
package policyctl.admission

# Hosts that nobody at acme sends anything to, or takes anything from. The list
# is data, so that it changes without a change of the policy.
deny contains {
	"id": "acme-blocked-host",
	"reason": sprintf("%s is blocked by acme; name a host of ours, or ask security for an exception", [host]),
	"command": command.index,
} if {
	some command in input.commands
	some host in command.hosts
	blocked(host)
}

deny contains {
	"id": "acme-blocked-host",
	"reason": sprintf("%s is blocked by acme; name a host of ours, or ask security for an exception", [host]),
} if {
	count(input.commands) == 0
	some record in input.records
	host := record.facets.http.host
	blocked(host)
}

# A host that is not known may be a blocked one.
ask contains {
	"id": "acme-unknown-host",
	"reason": "the host is not known until the command runs; write it out",
	"command": command.index,
} if {
	some command in input.commands
	some host in command.hosts
	host == null
}

ask contains {
	"id": "acme-unknown-host",
	"reason": "the host is not known; write the address out",
} if {
	count(input.commands) == 0
	some record in input.records
	record.facets.http.host == null
}

blocked(host) if {
	is_string(host)
	some name in data.acme.blocked_hosts
	lower(trim_suffix(host, ".")) == name
}

blocked(host) if {
	is_string(host)
	some name in data.acme.blocked_hosts
	endswith(lower(trim_suffix(host, ".")), concat("", [".", name]))
}
