package grant

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// hold reports whether what a call sends is within limits. A call that sends nothing needs
// none, and one that sends needs some.
func (l *Limits) hold(s *sent) bool {
	if l == nil || s == nil {
		return l == nil && s == nil
	}
	within := func(list, of []string) bool {
		return !slices.ContainsFunc(list, func(one string) bool { return !slices.Contains(of, one) })
	}
	return len(s.Hosts)+len(s.Recipients) > 0 && within(s.Hosts, l.Hosts) && within(s.Recipients, l.Recipients) && s.Bytes <= l.MaxBytes
}

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
