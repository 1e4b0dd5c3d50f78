package hook

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// keys say where an event has what is read of it. Each is a key, or a path of keys and
// places in lists with dots between them; the first of several with blanks between them
// that is there counts. "" is what most agents have.
type keys struct {
	// event stands at the top of the event.
	event string
	// session is the conversation, dir the directory in which the call runs.
	session, dir string
	// tool and input are the tool and its arguments, id the call.
	tool, input, id string
	// server is the MCP server that has the tool, and own the name that the tool has
	// there; where the event says no server, the tool is the agent's own.
	server, own string
	// attended is false where the event says that nobody is there.
	attended string
	// prompt is what the user has said, in the event that tells of it.
	prompt string
	// cut is true where the agent shows the arguments cut short.
	cut string
}

// usualKeys are those of most agents. Qwen Code may give the id of a call as tool_call_id.
var usualKeys = keys{
	event: "hook_event_name", session: "session_id", dir: "cwd",
	tool: "tool_name", input: "tool_input", id: "tool_use_id tool_call_id", prompt: "prompt",
}

// or returns the keys with the usual ones where there are none.
func (k keys) or(usual keys) keys {
	return keys{
		event: cmp.Or(k.event, usual.event), session: cmp.Or(k.session, usual.session), dir: cmp.Or(k.dir, usual.dir),
		tool: cmp.Or(k.tool, usual.tool), input: cmp.Or(k.input, usual.input), id: cmp.Or(k.id, usual.id),
		server: k.server, own: k.own, attended: k.attended, cut: k.cut, prompt: cmp.Or(k.prompt, usual.prompt),
	}
}

// fields reads the fields of an event and keeps the first error.
type fields struct {
	m   map[string]any
	err error
}

func (f *fields) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// value returns what stands at the first of some paths where there is anything, with
// the last path if there is nothing.
func (f *fields) value(paths string) (v any, path string) {
	for path = range strings.FieldsSeq(paths) {
		if v = at(f.m, path); v != nil && v != "" {
			return v, path
		}
	}
	return v, path
}

// at returns what stands at a path, nil for nothing.
func at(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// text returns a field, "" where it is missing or null.
func (f *fields) text(paths string) string {
	v, path := f.value(paths)
	if v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		f.fail(fmt.Errorf("%q must be a string", path))
	}
	return s
}

func (f *fields) required(paths string) string {
	s := f.text(paths)
	if s == "" {
		first, _, _ := strings.Cut(paths, " ")
		f.fail(fmt.Errorf("%q is missing", first))
	}
	return s
}

// is reports whether a field is there and has a value; with no path it has none.
func (f *fields) is(path string, value bool) bool {
	if path == "" {
		return false
	}
	v := at(f.m, path)
	said, ok := v.(bool)
	if v != nil && !ok {
		f.fail(fmt.Errorf("%q must be true or false", path))
	}
	return ok && said == value
}

// spoken reports whether a field has a text, or a list of parts of one.
func (f *fields) spoken(paths string) bool {
	if v, _ := f.value(paths); v != nil {
		if parts, ok := v.([]any); ok {
			return len(parts) > 0
		}
	}
	return strings.TrimSpace(f.text(paths)) != ""
}

// object returns a field that is an object; "." is all fields.
func (f *fields) object(path string) map[string]any {
	if path == "." {
		return f.m
	}
	m, ok := at(f.m, path).(map[string]any)
	if !ok {
		f.fail(fmt.Errorf("%q must be an object", path))
	}
	return m
}

// objectText returns a field that is an object as a text of JSON.
func (f *fields) objectText(path string) map[string]any {
	m, err := policy.DecodeObject([]byte(f.required(path)))
	if err != nil {
		f.fail(fmt.Errorf("%q: %w", path, err))
	}
	return m
}

// tool returns the one name of the tool that an event names.
func (f *fields) tool(k *keys) string {
	about, _, _ := strings.Cut(k.server, ".")
	if about == "" || f.m[about] == nil {
		return f.required(k.tool)
	}
	server, own := f.required(k.server), f.required(cmp.Or(k.own, k.tool))
	return mcpPrefix + server + mcpMiddle + own
}
