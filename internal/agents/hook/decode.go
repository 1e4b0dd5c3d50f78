package hook

import "github.com/policyctl/policyctl/pkg/strictjson"

// eventName returns the name of an event, "" where there is none or are two.
// An event that is cut short or broken further down still gets an answer of the
// right form.
func eventName(data []byte, key string) (name string) {
	found := strictjson.Members(data, key)
	if len(found) != 1 || strictjson.DecodeOpen(found[0], &name) != nil {
		return ""
	}
	return name
}
