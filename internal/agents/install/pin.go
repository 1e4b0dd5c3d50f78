package install

import "slices"

// pinKey returns the key among the hooks of managed settings that keeps them on: with the
// value false no other settings turn hooks off. It is "" where the agent has none.
func (a *Agent) pinKey() string {
	i := slices.IndexFunc(a.locations, func(l location) bool { return l.pins != "" })
	if i < 0 {
		return ""
	}
	return a.locations[i].pins
}

// addPin returns managed settings in which hooks are kept on.
func (r *Request) addPin(text string) (string, error) {
	key := r.Agent.pinKey()
	if key == "" || r.Scope != Managed {
		return text, nil
	}
	d, err := r.Agent.strict(text)
	if err != nil {
		return "", err
	}
	switch n := d.root.Get(hooksKey, key); {
	case n == nil:
		return d.addMember(d.root.Get(hooksKey), key, false), nil
	case n.Kind != 'f':
		return "", errorAt(text, n.From, "hooks.%s must be false: correct it", key)
	}
	return text, nil
}

// removePin returns the settings without what addPin has added.
func (a *Agent) removePin(text string, earlier *document) string {
	key := a.pinKey()
	d, err := a.strict(text)
	if key == "" || err != nil || earlier != nil && earlier.root.Get(hooksKey, key) != nil {
		return text
	}
	if n := d.root.Get(hooksKey, key); n == nil || n.Kind != 'f' {
		return text
	}
	hooks := d.root.Get(hooksKey)
	return d.removeFrom(hooks, hooks.Index(key))
}

// pinned reports whether settings of the organisation keep hooks on.
func (a *Agent) pinned(l location, text string, d *document) bool {
	if l.form == requirements {
		return pinned(text)
	}
	n := d.root.Get(hooksKey, l.pins)
	return l.pins != "" && n != nil && n.Kind == 'f'
}

// holds reports whether a managed hook runs whatever the user has set.
func (a *Agent) holds(managed *found) bool {
	return managed != nil && !a.dropsManaged && (managed.pinned || !a.trusts && a.pinKey() == "")
}
