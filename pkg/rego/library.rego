
# The verdict of the first rule that matches; undefined where none does.
verdict := said(min(matched)) if not uncertain

verdict := weighed if uncertain

# A record of which something is not known is judged twice: what is not known
# counts as met where that makes more rules match, then where it makes fewer. In
# between are the rules that may match: of these, one that denies or asks and
# comes before the first that surely matches makes the verdict an ask, unless
# that one denies.
uncertain if input.record.unknown[_]

uncertain if {
	timed
	not input.now
}

candidates contains n if some n in near

candidates contains n if some n in matched

candidates contains n if some n in free

candidates contains n if {
	some path, _ in open
	some n in guarded[path]
}

maybe contains n if {
	some n in candidates
	meets(n, "+", "-")
}

surely contains n if {
	some n in maybe
	meets(n, "-", "+")
}

doubtful contains n if {
	some n in maybe
	not n in surely
	rules[n].decision != "allow"
}

weighed := said(n) if {
	n := min(surely)
	not overtaken(n)
}

weighed := doubt(n) if {
	n := min(doubtful)
	not settled(n)
}

overtaken(n) if {
	min(doubtful) < n
	rules[n].decision != "deny"
}

settled(n) if min(surely) < n

settled(_) if rules[min(surely)].decision == "deny"

# What a rule says.
said(n) := rules[n] if rules[n].decision != "ask"

said(n) := object.union(rules[n], {"ask": terms[asks[n]]}) if rules[n].decision == "ask"

# What a rule says that may match.
doubt(n) := {
	"decision": "ask",
	"rule": rules[n].rule,
	"reason": concat("", ["a part that is not known may match the rule ", object.get(names, rules[n].rule, rules[n].rule)]),
	"ask": object.union(terms[asks[n]], {"on_timeout": "deny", "fail_closed": true, "every_time": true}),
}

# Conditions that are lists of operators.
meets(n, world, _) if all_met(world, simple[n])

all_met(world, leaves) if {
	is_array(leaves)
	every leaf in leaves {
		met(leaf[0], world, leaf)
	}
}

met("scope", _, leaf) if input.scope[leaf[1]] == leaf[2]

met("is", world, leaf) if is(world, leaf[1], values[leaf[1]], leaf[2])

met("among", world, leaf) if among(world, leaf[1], values[leaf[1]], leaf[2])

met("listed", world, leaf) if listed(world, leaf[1], values[leaf[1]], leaf[2])

met("has", world, leaf) if has(world, leaf[1], values[leaf[1]], leaf[2], leaf[3])

met("lacks", world, leaf) if lacks(world, leaf[1], values[leaf[1]], leaf[2], leaf[3])

met("matches", world, leaf) if matches(world, leaf[1], values[leaf[1]], leaf[2])

met("starts", world, leaf) if starts(world, leaf[1], values[leaf[1]], leaf[2])

met("ends", world, leaf) if ends(world, leaf[1], values[leaf[1]], leaf[2])

met("exists", world, leaf) if exists(world, leaf[1], values[leaf[1]])

met("absent", world, leaf) if absent(world, leaf[1], values[leaf[1]])

met("above", world, leaf) if above(world, leaf[1], values[leaf[1]], leaf[2])

met("from", world, leaf) if from(world, leaf[1], values[leaf[1]], leaf[2])

met("below", world, leaf) if below(world, leaf[1], values[leaf[1]], leaf[2])

met("upto", world, leaf) if upto(world, leaf[1], values[leaf[1]], leaf[2])

met("inside", world, leaf) if inside(world, leaf[1], values[leaf[1]], leaf[2])

# The paths of which nothing is known, and those of lists of which some elements
# are not. Who evaluates the rules may give both, and saves the time.
hidden := input.hidden if input.hidden

else := derived_hidden

part := input.part if input.part

else := derived_part

open := object.union(hidden, {path: true | some path, _ in part})

derived_hidden[path] := true if {
	some text in unknown_texts
	some path, _ in paths
	covers(text, path)
}

derived_hidden[path] := true if {
	some path, keys in paths
	elements(path)
	not is_array(object.get(input.record, keys, missing[path]))
}

derived_hidden[path] := true if {
	some path, _ in paths
	some place in elements(path)
	not regex.match(`^[0-9]{1,9}$`, place)
}

derived_hidden["time"] if {
	timed
	not input.now
}

unknown_texts := [trim_prefix(text, "facets.") | some text in input.record.unknown]

covers(path, path)

covers(text, path) if startswith(path, concat("", [text, "."]))

covers(text, path) if startswith(text, concat("", [path, "."]))

elements(path) := places if {
	places := {place |
		some text in unknown_texts
		startswith(text, concat("", [path, "["]))
		place := trim_suffix(substring(text, count(path) + 1, -1), "]")
	}
	count(places) > 0
}

derived_part[path] := {"known": kept, "before": before} if {
	some path, keys in paths
	places := {to_number(place) | some place in elements(path)}
	not derived_hidden[path]
	list := object.get(input.record, keys, missing[path])
	kept := [element | some i, element in list; not i in places]
	before := array.slice(list, 0, min(places))
}

# What stands for a value that is missing.
missing[path] := null if {
	some path, _ in paths
	path != "tags"
}

missing["tags"] := []

# The value at a path as far as it is known. What is missing or not known is the
# empty set, which JSON has not.
known(path, value) := value if {
	not hidden[path]
	not part[path]
}

known(path, _) := set() if hidden[path]

known(path, _) := part[path].known if not hidden[path]

# What a value meets in a world.
unknown("+", path) if hidden[path]

is(_, path, value, want) if {
	value == want
	not part[path]
}

is(world, path, _, _) if unknown(world, path)

is("+", path, _, want) if {
	before := part[path].before
	is_array(want)
	array.slice(want, 0, count(before)) == before
}

among(_, _, value, wanted) if value in wanted

among(_, _, value, wanted) if {
	is_array(value)
	some element in value
	element in wanted
}

among("+", path, _, _) if open[path]

listed(world, path, value, wanted) if is(world, path, value, wanted)

listed(_, _, value, wanted) if {
	not is_array(value)
	value in wanted
}

contained(value, _, folded) if {
	is_string(value)
	is_string(folded)
	contains(lower(value), folded)
}

contained(value, want, _) if {
	is_array(value)
	want in value
}

has(_, _, value, want, folded) if contained(value, want, folded)

has("+", path, _, _, _) if open[path]

lacks(_, path, value, want, folded) if {
	not hidden[path]
	not part[path]
	not contained(value, want, folded)
}

lacks("+", path, value, want, folded) if {
	open[path]
	not contained(value, want, folded)
}

matches(_, _, value, expression) if {
	is_string(value)
	regex.match(expression, value)
}

matches(world, path, _, _) if unknown(world, path)

starts(_, _, value, text) if {
	is_string(value)
	startswith(value, text)
}

starts(world, path, _, _) if unknown(world, path)

ends(_, _, value, text) if {
	is_string(value)
	endswith(value, text)
}

ends(world, path, _, _) if unknown(world, path)

exists(_, _, value) if {
	value != set()
	value != null
}

exists(world, path, _) if unknown(world, path)

absent(_, path, value) if {
	value in [set(), null]
	not hidden[path]
}

absent(world, path, _) if unknown(world, path)

number(value) := value if is_number(value)

# A text that is a decimal number is made one of JSON, which is read exactly. No
# limit has an exponent of five digits, so that 9999 stands for all beyond.
number(value) := json.unmarshal(bounded) if {
	is_string(value)
	regex.match(`^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$`, value)
	unsigned := trim_left(value, "+")
	short := regex.replace(unsigned, `^(-?)0*([0-9])`, "$1$2")
	whole := regex.replace(short, `^(-?)[.]`, "${1}0.")
	exact := regex.replace(whole, `[.]($|[eE])`, "$1")
	bounded := regex.replace(exact, `([eE][+-]?)0*[1-9][0-9]{4,}$`, "${1}9999")
}

above(_, _, value, limit) if number(value) > limit

above(world, path, _, _) if unknown(world, path)

from(_, _, value, limit) if number(value) >= limit

from(world, path, _, _) if unknown(world, path)

below(_, _, value, limit) if number(value) < limit

below(world, path, _, _) if unknown(world, path)

upto(_, _, value, limit) if number(value) <= limit

upto(world, path, _, _) if unknown(world, path)

inside(_, _, value, networks) if {
	is_string(value)
	some network in networks
	net.cidr_contains(network, address(value))
}

inside(world, path, _, _) if unknown(world, path)

address(value) := value if net.cidr_is_valid(concat("", [value, "/32"]))

address(value) := plain if {
	plain := regex.replace(value, `^([^%]*:[^%]*)%(?s:.+)$`, "$1")
	net.cidr_is_valid(concat("", [plain, "/128"]))
}

within(_, days, since, until, zone) if {
	since < until
	[minute, day] := clock(zone)
	day in days
	since <= minute
	minute < until
}

within(_, days, since, until, zone) if {
	since >= until
	[minute, day] := clock(zone)
	day in days
	minute >= since
}

within(_, days, since, until, zone) if {
	since >= until
	[minute, day] := clock(zone)
	yesterday[day] in days
	minute < until
}

within("+", _, _, _, _) if hidden.time

clock(zone) := [(hour * 60) + minute, day] if {
	now := time.parse_rfc3339_ns(input.now)
	[hour, minute, _] := time.clock([now, zone])
	day := time.weekday([now, zone])
}

yesterday := {
	"Sunday": "Saturday",
	"Monday": "Sunday",
	"Tuesday": "Monday",
	"Wednesday": "Tuesday",
	"Thursday": "Wednesday",
	"Friday": "Thursday",
	"Saturday": "Friday",
}
