# METADATA
# title: Verdict
# description: That of the first rule that matches; undefined where none does.
# entrypoint: true
verdict := said(min(matched)) if certain

verdict := weighed if not certain

# A record of which something is not known is judged twice: what is not known
# counts as met where that makes more rules match, then where it makes fewer. In
# between are the rules that may match: of these, one that denies or asks and
# comes before the first that surely matches makes the verdict an ask, unless
# that one denies.
maybe contains n if {
	some n in candidates
	meets(n, "+")
}

surely contains n if {
	some n in maybe
	meets(n, "-")
}

doubtful contains n if {
	some n in maybe
	not n in surely
	outcomes[n].decision != "allow"
}

weighed := said(n) if {
	n := min(surely)
	not overtaken(n)
}

weighed := joined(doubt(n), beside) if {
	n := min(doubtful)
	not settled(n)
}

# What asks beside the first of them: each ask counts.
beside := array.concat(
	[doubt(n) | some n in doubtful; n > min(doubtful); not settled(n)],
	[said(n) | n := min(surely); outcomes[n].decision == "ask"],
)

joined(first, []) := first

joined(first, others) := object.union(first, {"also": others}) if count(others) > 0

overtaken(n) if {
	min(doubtful) < n
	outcomes[n].decision != "deny"
}

settled(n) if min(surely) < n

settled(_) if outcomes[min(surely)].decision == "deny"

# What a rule says.
said(n) := answer(outcomes[n], asks[n])

answer(outcome, _) := outcome if outcome.decision != "ask"

answer(outcome, ask) := object.union(outcome, {"ask": terms[ask]}) if outcome.decision == "ask"

# What a rule says that may match.
doubt(n) := uncertain(outcomes[n].rule, asks[n])

uncertain(rule, ask) := {
	"decision": "ask",
	"rule": rule,
	"reason": concat("", ["an unknown part may match the rule ", object.get(names, rule, rule)]),
	"ask": object.union(terms[ask], {"on_timeout": "deny", "fail_closed": true, "every_time": true}),
}

# Conditions that are lists of operators.
all_met(world, leaves) if {
	is_array(leaves)
	every leaf in leaves {
		met(leaf[0], world, leaf)
	}
}

met("scope", _, leaf) if scoped(leaf[1], leaf[2])

met("is", world, leaf) if is(world, leaf[1], leaf[2])

met("among", world, leaf) if among(world, leaf[1], leaf[2])

met("listed", world, leaf) if listed(world, leaf[1], leaf[2])

met("has", world, leaf) if has(world, leaf[1], leaf[2], leaf[3])

met("lacks", world, leaf) if lacks(world, leaf[1], leaf[2], leaf[3])

met("matches", world, leaf) if matches(world, leaf[1], leaf[2])

met("starts", world, leaf) if starts(world, leaf[1], leaf[2])

met("ends", world, leaf) if ends(world, leaf[1], leaf[2])

met("exists", world, leaf) if exists(world, leaf[1])

met("absent", world, leaf) if absent(world, leaf[1])

met("above", world, leaf) if above(world, leaf[1], leaf[2])

met("from", world, leaf) if from(world, leaf[1], leaf[2])

met("below", world, leaf) if below(world, leaf[1], leaf[2])

met("upto", world, leaf) if upto(world, leaf[1], leaf[2])

met("sized", world, leaf) if sized(world, leaf[1], leaf[2])

met("released", world, leaf) if released(world, leaf[1], leaf[2])

met("inside", world, leaf) if inside(world, leaf[1], leaf[2])

scoped(part, want) if input.scope[part] == want

# The paths of which nothing is known, and those of lists of which some elements
# are not. What is no list of paths hides everything.
open := object.union(hidden, {path: true | some path, _ in part})

hidden[path] := true if {
	not all_readable
	some path, _ in paths
}

hidden[path] := true if {
	some path, keys in paths
	some item in readable
	covers(item, keys)
}

hidden[path] := true if {
	some path, _ in paths
	count(places(path)) > 0
	not is_array(recorded(path))
}

hidden["time"] if not instant

all_readable if {
	is_object(input.record)
	is_array(object.get(input.record, "unknown", []))
	count(readable) == count(object.get(input.record, "unknown", []))
}

readable := [{"keys": keys_of(texts[1]), "place": texts[2]} |
	some text in input.record.unknown
	is_string(text)
	some texts in regex.find_all_string_submatch_n(path_form, text, 1)
]

# A key of a path, and a path with the place of an element, as records write them.
key_form := `"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})+"|[^."\[\]][^.\[\]]*`

path_form := concat("", [`^((?:`, key_form, `)(?:\.(?:`, key_form, `))*)(?:\[(0|[1-9][0-9]{0,8})\])?$`])

# The keys of a path from the facet on, or the field of the record itself. Those
# in quotes are texts of JSON.
keys_of(text) := array.slice(keys, prefixed(keys), count(keys)) if {
	keys := [key_of(piece) | some piece in regex.find_n(key_form, text, -1)]
}

key_of(piece) := piece if not startswith(piece, `"`)

key_of(piece) := json.unmarshal(piece) if startswith(piece, `"`)

prefixed(keys) := 1 if is_below(keys, ["facets"])

prefixed(keys) := 0 if not is_below(keys, ["facets"])

is_below(keys, top) if {
	count(keys) > count(top)
	array.slice(keys, 0, count(top)) == top
}

# A path that is not known covers itself, and those above and below it. A facet
# has no elements.
covers(item, keys) if {
	whole(item)
	related(item.keys, keys)
}

whole(item) if item.place == ""

whole(item) if {
	count(item.keys) == 1
	not item.keys[0] in object.keys(fields)
}

related(keys, keys) if count(keys) > 0

related(a, b) if is_below(a, b)

related(a, b) if is_below(b, a)

related(["facets"], keys) if count(keys) > 1

related(["facets"], ["time"])

# The places of the elements of a list that are not known.
places(path) := {to_number(item.place) |
	some item in readable
	item.keys == paths[path]
	item.place != ""
	not whole(item)
}

part[path] := {"known": kept, "before": before} if {
	some path, _ in paths
	at := places(path)
	count(at) > 0
	not hidden[path]
	list := recorded(path)
	kept := [element | some i, element in list; not i in at]
	before := array.slice(list, 0, min(at))
}

# The value that a record has at a path. What is missing is the empty set, which
# JSON has not; the fields of the record itself are always there.
recorded(path) := value_at(path, paths[path])

value_at(_, keys) := object.get(input.record, array.concat(["facets"], keys), set()) if count(keys) > 1

value_at(path, keys) := object.get(input.record, path, fields[path]) if count(keys) == 1

fields := {"description": "", "primary": "", "sensitivity": "mutate", "summary": "", "tags": [], "type": "", "verb": ""}

# The value at a path as far as it is known.
values[path] := recorded(path) if {
	some path, _ in paths
	not open[path]
}

values[path] := set() if hidden[path]

values[path] := part[path].known if not hidden[path]

flipped("+") := "-"

flipped("-") := "+"

# What a value meets in a world.
unknown("+", path) if hidden[path]

is(_, path, want) if {
	values[path] == want
	not part[path]
}

is(world, path, _) if unknown(world, path)

is("+", path, want) if {
	is_array(want)
	before := part[path].before
	array.slice(want, 0, count(before)) == before
}

one_of(value, wanted) if value in wanted

one_of(value, wanted) if {
	is_array(value)
	some element in value
	element in wanted
}

among(_, path, wanted) if one_of(values[path], wanted)

among("+", path, _) if open[path]

is_or_in(value, wanted) if value == wanted

is_or_in(value, wanted) if {
	not is_array(value)
	value in wanted
}

listed(world, path, wanted) if is(world, path, wanted)

listed(_, path, wanted) if {
	not is_array(values[path])
	values[path] in wanted
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

has(_, path, want, folded) if contained(values[path], want, folded)

has("+", path, _, _) if open[path]

lacks(_, path, want, folded) if {
	not open[path]
	not has_known(path, want, folded)
}

lacks("+", path, want, folded) if {
	open[path]
	not has_known(path, want, folded)
}

has_known(path, want, folded) if contained(values[path], want, folded)

matches(_, path, expression) if {
	is_string(values[path])
	regex.match(expression, values[path])
}

matches(world, path, _) if unknown(world, path)

starts(_, path, text) if {
	is_string(values[path])
	startswith(values[path], text)
}

starts(world, path, _) if unknown(world, path)

ends(_, path, text) if {
	is_string(values[path])
	endswith(values[path], text)
}

ends(world, path, _) if unknown(world, path)

exists(_, path) if {
	value := values[path]
	value != set()
	value != null
}

exists(world, path) if unknown(world, path)

absent(_, path) if {
	values[path] in [set(), null]
	not hidden[path]
}

absent(world, path) if unknown(world, path)

number_of(value) := value if is_number(value)

# A text that is a decimal number is made one of JSON, which is read exactly. No
# limit has an exponent of five digits, so that 9999 stands for all beyond.
number_of(value) := json.unmarshal(bounded) if {
	is_string(value)
	regex.match(`^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$`, value)
	unsigned := trim_left(value, "+")
	short := regex.replace(unsigned, `^(-?)0*([0-9])`, "$1$2")
	whole := regex.replace(short, `^(-?)[.]`, "${1}0.")
	exact := regex.replace(whole, `[.]($|[eE])`, "$1")
	bounded := regex.replace(exact, `([eE][+-]?)0*[1-9][0-9]{4,}$`, "${1}9999")
}

above(_, path, limit) if number_of(values[path]) > limit

above(world, path, _) if unknown(world, path)

from(_, path, limit) if number_of(values[path]) >= limit

from(world, path, _) if unknown(world, path)

below(_, path, limit) if number_of(values[path]) < limit

below(world, path, _) if unknown(world, path)

upto(_, path, limit) if number_of(values[path]) <= limit

upto(world, path, _) if unknown(world, path)

inside_one(address, networks) if {
	some network in networks
	net.cidr_contains(network, address)
}

inside(_, path, networks) if {
	is_string(values[path])
	inside_one(address_of(values[path]), networks)
}

inside(world, path, _) if unknown(world, path)

size_of(value) := count(value) if is_string(value)

size_of(value) := count(value) if is_array(value)

size_of(value) := count(value) if is_object(value)

compares("equals", value, limit) if value == limit

compares("gt", value, limit) if value > limit

compares("gte", value, limit) if value >= limit

compares("lt", value, limit) if value < limit

compares("lte", value, limit) if value <= limit

within_bounds(value, bounds) if {
	size := size_of(value)
	every bound in bounds {
		compares(bound[0], size, bound[1])
	}
}

sized(_, path, bounds) if {
	not open[path]
	within_bounds(values[path], bounds)
}

sized("+", path, _) if open[path]

version_form := concat("", [
	`^v?(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})`,
	`(?:-((?:0|[1-9][0-9]{0,14}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`,
	`(?:\.(?:0|[1-9][0-9]{0,14}|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?`,
	`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`,
])

version_of(value) := trim_prefix(value, "v") if {
	is_string(value)
	count(value) <= 256
	regex.match(version_form, value)
}

is_version(value, alternatives) if {
	version := version_of(value)
	some comparators in alternatives
	every comparator in comparators {
		compares(comparator[0], semver.compare(version, comparator[1]), 0)
	}
}

released(_, path, alternatives) if {
	not open[path]
	is_version(values[path], alternatives)
}

released(world, path, _) if unknown(world, path)

address_of(value) := value if net.cidr_is_valid(concat("", [value, "/32"]))

address_of(value) := plain if {
	plain := regex.replace(value, `^([^%]*:[^%]*)%(?s:.+)$`, "$1")
	net.cidr_is_valid(concat("", [plain, "/128"]))
}

during(days, since, until, zone) if {
	since < until
	[minute, day] := clock(zone)
	day in days
	since <= minute
	minute < until
}

during(days, since, until, zone) if {
	since >= until
	[minute, day] := clock(zone)
	day in days
	minute >= since
}

during(days, since, until, zone) if {
	since >= until
	[minute, day] := clock(zone)
	yesterday[day] in days
	minute < until
}

within(_, days, since, until, zone) if {
	not hidden.time
	during(days, since, until, zone)
}

within("+", _, _, _, _) if hidden.time

clock(zone) := [(hour * 60) + minute, day] if {
	[hour, minute, _] := time.clock([instant, zone])
	day := time.weekday([instant, zone])
}

# The instant of the call, undefined where "now" is none in RFC 3339 between the
# years 1678 and 2261.
instant := time.parse_rfc3339_ns(input.now) if {
	is_string(input.now)
	regex.match(
		`^(167[89]|16[89][0-9]|1[7-9][0-9]{2}|2[01][0-9]{2}|22[0-5][0-9]|226[01])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T`,
		input.now,
	)
	regex.match(
		`^T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
		substring(input.now, 10, -1),
	)
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
