package grant

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/remote"
)

// Limits bound a call that sends: the hosts that it talks to, whom it reaches there, and
// how much it sends. Of a denial the hosts are those that it denies.
type Limits struct {
	Hosts      []string `json:"hosts,omitempty"`
	Recipients []string `json:"recipients,omitempty"`
	// MaxBytes is the most that one call may send, 0 for nothing.
	MaxBytes int64 `json:"max_bytes,omitempty"`
}

// A sent is what a call sends, as far as its row knows it; all of it is known.
type sent struct {
	Hosts, Recipients []string
	Bytes             int64
	// bound says that without limits no entry covers it.
	bound bool
}

// key returns the limits in one form, "" for none.
func (l *Limits) key() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%q %q %d", l.Hosts, l.Recipients, l.MaxBytes)
}

// text says the limits for people.
func (l *Limits) text(effect string) string {
	if effect == Denies {
		return "from " + strings.Join(l.Hosts, ", ")
	}
	var parts []string
	if len(l.Hosts) > 0 {
		parts = append(parts, "to "+strings.Join(l.Hosts, ", "))
	}
	if len(l.Recipients) > 0 {
		parts = append(parts, "for "+strings.Join(l.Recipients, ", "))
	}
	size := "sending nothing"
	if l.MaxBytes > 0 {
		size = "up to " + sizeText(l.MaxBytes)
	}
	return strings.Join(append(parts, size), ", ")
}

// sizeText writes a size in the largest unit that it is a whole number of.
func sizeText(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 20, "MB"}, {1 << 10, "kB"}} {
		if n >= unit.size && n%unit.size == 0 {
			return fmt.Sprintf("%d %s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// steps are the sizes that are offered, in bytes.
var steps = []int64{4 << 10, 64 << 10, 1 << 20, 16 << 20}

// around returns the limits that are offered for a call: its hosts and recipients, and the
// next step above what it sends; ok is false for what is larger than all of them.
func (s *sent) around() (l *Limits, ok bool) {
	if s == nil {
		return nil, true
	}
	l = &Limits{Hosts: s.Hosts, Recipients: s.Recipients}
	if s.Bytes == 0 {
		return l, true
	}
	for _, l.MaxBytes = range steps {
		if s.Bytes <= l.MaxBytes {
			return l, true
		}
	}
	return nil, false
}

// hold reports whether what a call sends is within limits. Where that is unknown it is
// not. A verb that a person has trusted without limits has none.
func (l *Limits) hold(s *sent) bool {
	switch {
	case l == nil:
		return s == nil || !s.bound
	case s == nil:
		return false
	}
	within := func(list, of []string) bool {
		return !slices.ContainsFunc(list, func(one string) bool { return !slices.Contains(of, one) })
	}
	return len(s.Hosts)+len(s.Recipients) > 0 && within(s.Hosts, l.Hosts) && within(s.Recipients, l.Recipients) && s.Bytes <= l.MaxBytes
}

// sentBy returns what a command sends, nil where its row does not know all of it. What it
// sends stands on its line, so that it is no larger than that.
func sentBy(c *command.Command) *sent {
	hosts, ok := remote.Reached(c)
	if !ok {
		return nil
	}
	s := &sent{Hosts: unique(hosts)}
	for i := range c.Words {
		v, _ := c.Words[i].Literal()
		s.Bytes += int64(len(v)) + 1
	}
	return s
}

// The arguments of tools that send: whom they reach, and texts.
var (
	recipientFields = []string{"to", "cc", "bcc", "recipient", "recipients", "channel", "channel_id", "chat_id", "user_id", "email", "phone"}
	textFields      = []string{"subject", "body", "text", "message", "content", "title", "description", "comment", "thread_ts"}
	requestFields   = []string{"url", "method", "body", "headers", "prompt"}
)

// sentByTool returns what a call of a tool sends, nil where an argument says something
// that is not known.
func sentByTool(in *policy.Input) *sent {
	text, err := json.Marshal(in.Call.Input)
	if err != nil {
		return nil
	}
	s := &sent{Bytes: int64(len(text)), bound: true}
	if in.Tool.Kind == policy.KindFetch {
		for _, url := range in.Subjects {
			host, ok := weburl.Host(url)
			if !ok {
				return nil
			}
			s.Hosts = append(s.Hosts, host)
		}
	}
	for field, v := range in.Call.Input {
		switch name := strings.ToLower(field); {
		case in.Tool.Kind == policy.KindFetch:
			if !slices.Contains(requestFields, name) {
				return nil
			}
		case slices.Contains(recipientFields, name):
			list, ok := recipients(v)
			if !ok {
				return nil
			}
			s.Recipients = append(s.Recipients, list...)
		case !slices.Contains(textFields, name):
			return nil // such as a file
		}
	}
	if s.Hosts, s.Recipients = unique(s.Hosts), unique(s.Recipients); len(s.Hosts)+len(s.Recipients) == 0 {
		return nil
	}
	return s
}

// recipients reads an argument that names one recipient, or several.
func recipients(v any) (list []string, ok bool) {
	switch v := v.(type) {
	case string:
		for one := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ',' || r == ';' }) {
			list = append(list, strings.ToLower(strings.TrimSpace(one)))
		}
	case []any:
		for _, one := range v {
			text, isText := one.(string)
			if !isText {
				return nil, false
			}
			more, _ := recipients(text)
			list = append(list, more...)
		}
	}
	return list, len(list) > 0
}

// unique returns texts in the order of the alphabet, each once.
func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// maxLimits is the most hosts, and the most recipients.
const maxLimits = 16

func (l *Limits) validate() error {
	switch {
	case l == nil:
		return nil
	case l.MaxBytes < 0:
		return errors.New("limits: max_bytes is less than nothing")
	case len(l.Hosts)+len(l.Recipients) == 0:
		return errors.New("limits: they name neither a host nor a recipient")
	case len(l.Hosts) > maxLimits || len(l.Recipients) > maxLimits:
		return fmt.Errorf("limits: more than %d hosts or recipients", maxLimits)
	}
	for _, name := range slices.Concat(l.Hosts, l.Recipients) {
		if name == "" || len(name) > maxDenied || hasControl(name) || strings.ContainsAny(name, " ,*") {
			return fmt.Errorf("limits: %.200q is not the name of a host or of a recipient", name)
		}
	}
	return nil
}
