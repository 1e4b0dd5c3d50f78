package install

import "github.com/policyctl/policyctl/pkg/strictjson"

// add returns the settings with the hook in them.
func (r *Request) add(text string) (string, error) {
	text, err := r.Agent.addTop(text)
	for _, e := range r.Agent.events {
		if err == nil {
			text, err = r.addEvent(text, e)
		}
	}
	if err != nil {
		return "", err
	}
	return r.addPin(text)
}

// addTop returns the settings with what the file needs beside hooks.
func (a *Agent) addTop(text string) (string, error) {
	for _, p := range a.top {
		d, err := a.strict(text)
		if err != nil {
			return "", err
		}
		switch n := d.root.Get(p.key); {
		case n == nil:
			text = d.addMember(d.root, p.key, p.value)
		case !d.equals(n, p.value):
			return "", errorAt(text, n.From, "%s must be %v: correct it", p.key, p.value)
		}
	}
	return text, nil
}

// addEvent returns the settings with exactly one hook of ours for an event,
// which sees all tools.
func (r *Request) addEvent(text string, e event) (string, error) {
	for {
		d, err := r.Agent.strict(text)
		if err != nil {
			return "", err
		}
		ours, err := r.Agent.ours(d, e.name)
		if err != nil {
			return "", err
		}
		extra, keep := surplus(ours)
		switch {
		case extra != nil:
			text = d.without(*extra)
		case keep == nil:
			return r.append(d, e), nil
		case d.equals(keep.node, r.wanted(e)):
			return text, nil
		default:
			l := d.layoutIn(keep.hooks)
			l.oneLine = l.oneLine || !d.spread(keep.node)
			return d.replace(span{keep.node.From, keep.node.To}, l.write(r.wanted(e))), nil
		}
	}
}

// surplus returns the handler to keep and the last one that must go.
func surplus(ours []handler) (extra, keep *handler) {
	for i := range ours {
		if keep == nil && ours[i].everywhere() {
			keep = &ours[i]
		} else {
			extra = &ours[i]
		}
	}
	return extra, keep
}

// spread reports whether an object stands on several lines.
func (d *document) spread(n *strictjson.Node) bool {
	return len(n.Keys) == 0 || d.indentAt(n.From) != d.indentAt(n.Keys[0].From)
}

// append returns the settings with a hook at the end of an event.
func (r *Request) append(d *document, e event) string {
	var item any = r.wanted(e)
	if !r.Agent.flat {
		group := object{{"hooks", []any{item}}}
		if r.Agent.matcher != "" {
			group = object{{"matcher", r.Agent.matcher}, group[0]}
		}
		item = group
	}
	hooks := d.root.Get("hooks")
	switch {
	case hooks == nil:
		return d.addMember(d.root, "hooks", object{{e.name, []any{item}}})
	case hooks.Get(e.name) == nil:
		return d.addMember(hooks, e.name, []any{item})
	}
	return d.addItem(hooks.Get(e.name), item)
}
