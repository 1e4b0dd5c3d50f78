package install

import "github.com/policyctl/policyctl/pkg/strictjson"

// A handler is one hook in the settings of an agent.
type handler struct {
	event string
	// Where it stands: in which group of the event, and where in the group.
	group, index int
	// list holds the groups, or the handlers themselves if the agent is flat;
	// hooks holds the handlers of the group.
	list, hooks, node *strictjson.Node
	matcher           string
	fields            map[string]any
}

// handlers returns the hooks of an event in order, or an error for a shape
// that the agent does not accept.
func (a *Agent) handlers(d *document, event string) (out []handler, err error) {
	list, err := d.events(event)
	if list == nil || err != nil {
		return nil, err
	}
	if a.flat {
		return d.group(handler{event: event, list: list, hooks: list})
	}
	for i := range list.Items {
		g := &list.Items[i]
		hooks := g.Get("hooks")
		if g.Kind != '{' || hooks == nil || hooks.Kind != '[' {
			return nil, errorAt(d.text, g.From, "each entry of hooks.%s must be an object with an array of hooks", event)
		}
		matcher := g.Get("matcher")
		if matcher != nil && matcher.Kind != '"' {
			return nil, errorAt(d.text, matcher.From, "the matcher must be a string")
		}
		h := handler{event: event, group: i, list: list, hooks: hooks}
		if matcher != nil {
			h.matcher = matcher.Text
		}
		more, err := d.group(h)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// events returns the list of an event, or nil if there is none.
func (d *document) events(event string) (*strictjson.Node, error) {
	hooks := d.root.Get("hooks")
	if hooks == nil {
		return nil, nil
	}
	if hooks.Kind != '{' {
		return nil, errorAt(d.text, hooks.From, "hooks must be an object")
	}
	list := hooks.Get(event)
	if list != nil && list.Kind != '[' {
		return nil, errorAt(d.text, list.From, "hooks.%s must be an array", event)
	}
	return list, nil
}

// group returns the handlers of one group.
func (d *document) group(h handler) (out []handler, err error) {
	for i := range h.hooks.Items {
		n := &h.hooks.Items[i]
		if n.Kind != '{' {
			return nil, errorAt(d.text, n.From, "each hook of %s must be an object", h.event)
		}
		h.index, h.node = i, n
		h.fields, _ = n.Value().(map[string]any)
		out = append(out, h)
	}
	return out, nil
}

// ours returns the handlers of an event that start policyctl for the agent.
func (a *Agent) ours(d *document, event string) (out []handler, err error) {
	all, err := a.handlers(d, event)
	for _, h := range all {
		if a.owns(h) {
			out = append(out, h)
		}
	}
	return out, err
}

// owns reports whether a handler starts policyctl for the agent.
func (a *Agent) owns(h handler) bool {
	_, ok := a.invocation(h)
	return ok
}

// everywhere reports whether a handler sees all tools.
func (h *handler) everywhere() bool {
	return h.matcher == "" || h.matcher == "*" || h.matcher == ".*"
}

// without returns the text without a handler, and without its group if it was
// alone there.
func (d *document) without(h handler) string {
	if h.hooks != h.list && len(h.hooks.Items) == 1 {
		return d.removeFrom(h.list, h.group)
	}
	return d.removeFrom(h.hooks, h.index)
}

// eventNames returns the events that the settings name.
func (d *document) eventNames() (out []string) {
	if hooks := d.root.Get("hooks"); hooks != nil {
		for _, key := range hooks.Keys {
			out = append(out, key.Text)
		}
	}
	return out
}
