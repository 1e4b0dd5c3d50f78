package exchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
)

// A fieldKind says how a value is written.
type fieldKind uint8

const (
	text   fieldKind = iota
	number           // a whole number
	flag             // true and false, or 1 and 0
	tree             // a condition or a decision, as an object
	list             // a list, or the JSON text of one
)

// A field is a column of the table approval_rules.
type field struct {
	column string
	kind   fieldKind
	// api are the keys of the HTTP API; the first is the one that is written.
	api []string
}

// fields are the columns in the order of the table.
var fields = []field{
	{"id", text, []string{"id"}},
	{"label", text, []string{"label"}},
	{"scope_plugin_id", text, []string{"scopePluginId"}},
	{"scope_profile_id", text, []string{"scopeProfileId"}},
	{"scope_integration_id", text, []string{"scopeIntegrationId"}},
	{"priority", number, []string{"priority"}},
	{"enabled", flag, []string{"enabled"}},
	{"dialect", text, []string{"dialect"}},
	{"source", text, []string{"source"}},
	{"compiled", text, []string{"compiled"}},
	{"decision", text, []string{"decision"}},
	{"reason", text, []string{"reason"}},
	{"approver_plugin_id", text, []string{"approverPluginId"}},
	{"approver_profile_id", text, []string{"approverProfileId"}},
	{"llm_prompt", text, []string{"llmPrompt", "prompt"}},
	{"llm_model", text, []string{"llmModel", "model"}},
	{"llm_cache_ttl_s", number, []string{"llmCacheTtlS", "cacheTtlSeconds"}},
	{"llm_fail_closed", flag, []string{"llmFailClosed", "failClosed"}},
	{"timeout_ms", number, []string{"timeoutMs"}},
	{"on_timeout", text, []string{"onTimeout"}},
	{"created_by", text, []string{"createdBy"}},
	{"created_at", text, []string{"createdAt"}},
	{"updated_at", text, []string{"updatedAt"}},
}

// whenField is the condition as an object, which compiled rules have.
var whenField = field{"when", tree, []string{"when"}}

// ours are the columns that only the database of policyctl has. approver_any is how
// many of approver_plugin_id must approve.
var ours = []field{{"approver_any", number, []string{"approverAny"}}, {"cases", list, []string{"cases"}}, {"updated_by", text, []string{"updatedBy"}}}

// Columns are the names of the columns of approval_rules, in their order.
func Columns() []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.column)
	}
	return out
}

// readable are the fields that are understood.
func readable() []field { return slices.Concat(fields, []field{whenField}, ours) }

// fieldOf returns the field of a key, in whichever spelling.
func fieldOf(key string) (field, bool) {
	for _, f := range readable() {
		if f.column == key || slices.Contains(f.api, key) {
			return f, true
		}
	}
	return field{}, false
}

// keysLike returns the spellings that a key of this look could have meant.
func keysLike(key string) (all []string) {
	for _, f := range readable() {
		if strings.Contains(key, "_") {
			all = append(all, f.column)
			continue
		}
		all = append(append(all, f.api...), f.column)
	}
	return all
}

// An entry is one rule as it stands in a file, by the names of the columns.
type entry struct {
	at     string
	values map[string]document.Node
}

// entries returns the rules that a JSON value holds: one rule, a list, or what
// GET /api/rules answers.
func entries(name string, n document.Node) ([]entry, error) {
	if n.Kind == document.Map && len(n.Keys) == 1 && n.Keys[0].Text == "rules" {
		n = n.Items[0]
	}
	switch n.Kind {
	case document.Map:
		e, err := newEntry(name, n)
		return []entry{e}, err
	case document.List:
	default:
		return nil, failAt(name, n, "no rules: write a list of rules, one rule, or {\"rules\": […]}")
	}
	var all []entry
	var errs problems
	for _, item := range n.Items {
		e, err := newEntry(name, item)
		errs.add(err)
		all = append(all, e)
	}
	return all, errs.err()
}

func failAt(name string, n document.Node, format string, args ...any) error {
	return fmt.Errorf("%s: %s", placeOf(name, n), fmt.Sprintf(format, args...))
}

func placeOf(name string, n document.Node) string {
	return fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column)
}

// newEntry reads one rule in any of its shapes.
func newEntry(name string, n document.Node) (entry, error) {
	e := entry{placeOf(name, n), make(map[string]document.Node)}
	if n.Kind != document.Map {
		return e, failAt(name, n, "a rule must be an object")
	}
	var errs problems
	for i, key := range n.Keys {
		errs.add(e.put(name, key, n.Items[i]))
	}
	return e, errs.err()
}

// put keeps the value of one key.
func (e *entry) put(name string, key, value document.Node) error {
	f, ok := fieldOf(key.Text)
	if !ok {
		return failAt(name, key, "unknown key %q of a rule%s", key.Text, nearest(key.Text, keysLike(key.Text)))
	}
	if _, twice := e.values[f.column]; twice {
		return failAt(name, key, "the key %q says once more what another key says: remove one", key.Text)
	}
	if f.column == "decision" && value.Kind == document.Map {
		return e.decision(name, value)
	}
	if value.Kind == document.Null {
		return nil
	}
	if !f.accepts(value) {
		return failAt(name, value, "%s must be %s", key.Text, f.kind)
	}
	e.values[f.column] = value
	return nil
}

// decision reads {"kind": "require_human", "timeoutMs": 1000, …}.
func (e *entry) decision(name string, n document.Node) error {
	var errs problems
	for i, key := range n.Keys {
		if key.Text == "kind" {
			key.Text = "decision"
		}
		errs.add(e.put(name, key, n.Items[i]))
	}
	if _, ok := e.values["decision"]; !ok && len(errs) == 0 {
		return failAt(name, n, "the decision has no kind: one of allow, deny, require_llm, require_human")
	}
	return errs.err()
}

func (f field) accepts(n document.Node) bool {
	switch f.kind {
	case number:
		return n.Kind == document.Number && whole(n.Text)
	case flag:
		return n.Kind == document.Bool || n.Kind == document.Number && (n.Text == "0" || n.Text == "1")
	case tree:
		return n.Kind == document.Map
	case list:
		return n.Kind == document.Text || n.Kind == document.List
	}
	return n.Kind == document.Text || f.column == "source" && n.Kind == document.Map
}

// String names what is expected.
func (k fieldKind) String() string {
	return [...]string{"text", "a whole number", "true or false", "an object", "a list"}[k]
}
