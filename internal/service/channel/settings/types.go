package settings

import "github.com/policyctl/policyctl/internal/service/channel"

// A Type is a service behind channels: what its settings are, and what makes a driver of
// them.
type Type struct {
	Name string
	// Keys are those beside the keys that every channel has.
	Keys []Key
	// Place is the key whose value is where people must answer, "" for none.
	Place string
	// Person is the key whose value names the one approver whose answers all are; "" for
	// types that say who somebody is, by the key people.
	Person string
	// Make makes a driver. Its error says what is wrong with the values; it speaks to
	// nobody.
	Make func(v Values) (channel.Driver, error)
}

// A Key is one setting. A secret is never written as KEY but as KEY_file or KEY_env.
type Key struct {
	Name     string
	Secret   bool
	Required bool
	// List says that the value may be a list of texts as well, Flag that it is true or
	// false.
	List, Flag bool
}

// Values are what a channel has for the keys of its type.
type Values struct {
	// Channel is its name.
	Channel string
	// Dir is the directory of the file.
	Dir string
	// API is the base of the service's API, "" for the usual one.
	API   string
	texts map[string][]string
}

// Text returns the value of a key, the secret itself for a secret; "" where there is
// none.
func (v Values) Text(key string) string {
	if list := v.texts[key]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// Flag returns the value of a key that is true or false, false where there is none.
func (v Values) Flag(key string) bool { return v.Text(key) == "true" }

// List returns the values of a key that may have several.
func (v Values) List(key string) []string { return v.texts[key] }
