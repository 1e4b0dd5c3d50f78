package claude

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/internal/support/jsonc"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A reader reads a settings file.
type reader struct {
	name string
	form *Form
}

// String returns the name of the file.
func (r reader) String() string { return r.name }

// fail returns an error about a value.
func (r reader) fail(n *strictjson.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", r, n.Line, n.Column, fmt.Sprintf(format, args...))
}

// read reads a settings file strictly: no key twice, and comments only where the agent takes
// them.
func read(s Source) (*settings, error) {
	r := reader{s.Name, s.Form}
	data := bytes.TrimPrefix(s.Data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: is empty: name a settings.json with permissions", r)
	}
	if s.Form.commented {
		data = jsonc.Plain(data)
	}
	top, err := strictjson.Read(data, strictjson.Options{})
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return nil, e.In(s.Name)
	}
	if top.Kind != '{' {
		return nil, r.fail(&top, "the settings are no JSON object")
	}
	return r.permissions(&top)
}
