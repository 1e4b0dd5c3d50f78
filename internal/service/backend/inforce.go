package backend

import (
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An InForce says of what the policy of the service is made.
type InForce struct {
	// Problems are what is wrong with it, and Notes what may surprise; texts for
	// people.
	Problems, Notes []string
	Settings        []Setting
	Files           []PolicyFile
	Bundles         []PolicyBundle
	// Tools are those of the policy beside the built-in ones.
	Tools []policy.Tool
	// With returns the engine with more permissions.
	With func(...policy.Permission) (*policy.Engine, error)
}

// A Setting is a key of the policy with its values: one, none, or those of a section.
type Setting struct {
	Key    string
	Values []SettingValue
}

// A SettingValue is one value. Its origin is "" if it is built in; Held says why it
// has no effect, "" where it has.
type SettingValue struct{ Value, Origin, Held string }

// A PolicyFile is a file of a layer.
type PolicyFile struct {
	Layer, Path string
	// Trust says how much of a project's file counts, "" for files of other layers;
	// Error why the file cannot be read, "" where it can.
	Trust, Error string
	// Locks are the keys that no layer below may change.
	Locks []string
}

// A PolicyBundle is a bundle to which the policy subscribes.
type PolicyBundle struct {
	Name, URL, Revision string
	// Contact is when its server was reached last, the zero time for never.
	Contact time.Time
	// Stale and Expired bundles only deny and ask. Error is what went wrong last.
	Stale, Expired bool
	Error          string
}
