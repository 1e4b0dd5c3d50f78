package install

import "github.com/policyctl/policyctl/pkg/strictjson"

// remove returns the settings without the hooks of ours. Containers that are
// empty then go too, unless the earlier settings had them.
func (a *Agent) remove(text string, earlier *document) (string, error) {
	emptied := map[string]bool{}
	for {
		d, err := a.strict(text)
		if err != nil {
			return "", err
		}
		h, err := a.last(d)
		if err != nil {
			return "", err
		}
		if h == nil {
			break
		}
		emptied[h.event] = true
		text = d.without(*h)
	}
	if len(emptied) == 0 {
		return text, nil
	}
	for event := range emptied {
		text = a.prune(text, earlier, "hooks", event)
	}
	text = a.prune(a.removePin(text, earlier), earlier, "hooks")
	return a.removeTop(text, earlier), nil
}

// last returns the last hook of ours in any event, or nil. Events that we do
// not write may have a shape that we do not know.
func (a *Agent) last(d *document) (*handler, error) {
	known := map[string]bool{}
	for _, e := range a.events {
		known[e.name] = true
	}
	var found *handler
	for _, name := range d.eventNames() {
		ours, err := a.ours(d, name)
		if err != nil && known[name] {
			return nil, err
		}
		for i := range ours {
			found = &ours[i]
		}
	}
	return found, nil
}

// prune returns the text without the empty container under a path of keys, or
// with the empty container that the earlier text had.
func (a *Agent) prune(text string, earlier *document, keys ...string) string {
	d, err := a.strict(text)
	if err != nil {
		return text
	}
	n := d.root.Get(keys...)
	if n == nil || len(elements(n)) > 0 || d.behindComments(n.From+1, n.To-1) > n.From+1 {
		return text
	}
	if earlier != nil {
		if old := earlier.root.Get(keys...); old != nil && old.Kind == n.Kind {
			return d.replace(span{n.From, n.To}, emptyLike(earlier, old))
		}
	}
	parent := d.root.Get(keys[:len(keys)-1]...)
	return d.removeFrom(parent, parent.Index(keys[len(keys)-1]))
}

// emptyLike returns the text of an empty container as it was.
func emptyLike(d *document, n *strictjson.Node) string {
	if len(elements(n)) == 0 {
		return d.raw(n)
	}
	return d.text[n.From:n.From+1] + d.text[n.To-1:n.To]
}

// removeTop returns the settings without what we added beside hooks.
func (a *Agent) removeTop(text string, earlier *document) string {
	for _, p := range a.top {
		d, err := a.strict(text)
		if err != nil || earlier == nil || earlier.root.Get(p.key) != nil {
			continue
		}
		if i := d.root.Index(p.key); i >= 0 && d.equals(&d.root.Items[i], p.value) {
			text = d.removeFrom(d.root, i)
		}
	}
	d, err := a.strict(text)
	if err == nil && earlier != nil && len(d.root.Keys) == 0 && len(earlier.root.Keys) == 0 {
		return earlier.text
	}
	return text
}

// isBare reports whether settings hold nothing but what we add beside hooks.
func (a *Agent) isBare(text string) bool {
	d, err := a.strict(text)
	return err == nil && d.equals(d.root, a.top)
}
