package install

// A handler is one hook in the settings of an agent.
type handler struct {
	event string
	// Where it stands: in which group of the event, and where in the group.
	group, index int
	// list holds the groups, or the handlers themselves if the agent is flat;
	// hooks holds the handlers of the group.
	list, hooks, node *node
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
	for i, g := range list.items {
		hooks := g.get("hooks")
		if g.kind != '{' || hooks == nil || hooks.kind != '[' {
			return nil, errorAt(d.text, g.from, "each entry of hooks.%s must be an object with an array of hooks", event)
		}
		matcher := g.get("matcher")
		if matcher != nil && matcher.kind != '"' {
			return nil, errorAt(d.text, matcher.from, "the matcher must be a string")
		}
		h := handler{event: event, group: i, list: list, hooks: hooks, matcher: d.str(matcher)}
		more, err := d.group(h)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// events returns the list of an event, or nil if there is none.
func (d *document) events(event string) (*node, error) {
	hooks := d.root.get("hooks")
	if hooks == nil {
		return nil, nil
	}
	if hooks.kind != '{' {
		return nil, errorAt(d.text, hooks.from, "hooks must be an object")
	}
	list := hooks.get(event)
	if list != nil && list.kind != '[' {
		return nil, errorAt(d.text, list.from, "hooks.%s must be an array", event)
	}
	return list, nil
}

// group returns the handlers of one group.
func (d *document) group(h handler) (out []handler, err error) {
	for i, n := range h.hooks.items {
		if n.kind != '{' {
			return nil, errorAt(d.text, n.from, "each hook of %s must be an object", h.event)
		}
		h.index, h.node = i, n
		h.fields, _ = d.value(n).(map[string]any)
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

// owns says whether a handler starts policyctl for the agent.
func (a *Agent) owns(h handler) bool {
	_, ok := a.invocation(h)
	return ok
}

// everywhere says whether a handler sees all tools.
func (h *handler) everywhere() bool {
	return h.matcher == "" || h.matcher == "*" || h.matcher == ".*"
}

// without returns the text without a handler, and without its group if it was
// alone there.
func (d *document) without(h handler) string {
	if h.hooks != h.list && len(h.hooks.items) == 1 {
		return d.removeFrom(h.list, h.group)
	}
	return d.removeFrom(h.hooks, h.index)
}

// eventNames returns the events that the settings name.
func (d *document) eventNames() (out []string) {
	if hooks := d.root.get("hooks"); hooks != nil {
		for _, m := range hooks.members {
			out = append(out, m.key)
		}
	}
	return out
}
