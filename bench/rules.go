package bench

import "fmt"

// A shape is a kind of rule; only the number differs between its rules.
type shape string

const (
	equality shape = "equality"
	prefix   shape = "prefix"
	regex    shape = "regex"
	mixed    shape = "mixed"
)

var shapes = []shape{equality, prefix, regex, mixed}

// of returns the shape of a rule: mixed rules take the others in turn.
func (s shape) of(i int) shape {
	if s == mixed {
		return shapes[i%3]
	}
	return s
}

func host(i int) string { return fmt.Sprintf("h%d.example.com", i) }

// start is the prefix that the URLs of a rule have.
func start(i int) string { return fmt.Sprintf("https://h%d.example.com/", i) }

// stars is the glob of a rule.
func stars(i int) string { return fmt.Sprintf("https://*.example.com/team-%d/*", i) }

// expression is the regular expression of a rule.
func expression(i int) string { return fmt.Sprintf(`^https://[a-z0-9.]+/team-%d/[a-z]+$`, i) }

// byPrefix says which rules of the shape prefix have a prefix and no glob.
func byPrefix(i int) bool { return i%2 == 0 }

// A request is what the calls describe.
type request struct{ method, host, url string }

// call returns the request that the rule of a number matches, whatever shape
// it has.
func call(i int) request {
	return request{method: "DELETE", host: host(i), url: start(i) + fmt.Sprintf("team-%d/list", i)}
}
