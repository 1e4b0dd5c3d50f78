package install

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A group is a group of hooks with their matcher.
type group struct {
	Matcher string           `json:"matcher,omitempty"`
	Hooks   []map[string]any `json:"hooks"`
}

// asSettings returns the hooks of a file in another form as settings in JSON. Of TOML,
// what is not written as tables is not read.
func asSettings(f form, text string) (string, error) {
	if f == ownText {
		return ownSettings(text), nil
	}
	all, err := statements(text)
	if err != nil {
		return "", err
	}
	events := eventTables(all)
	if f == hooksTOML {
		events = hookTables(all)
	}
	out, err := json.Marshal(map[string]any{"hooks": events})
	return string(out), err
}

// hookTables returns the hooks that stand as [[hooks]], each with its event.
func hookTables(all []statement) map[string][]*group {
	var hooks []map[string]any
	for _, st := range all {
		switch {
		case st.path[0] != hooksKey:
		case st.header && st.array && len(st.path) == 1:
			hooks = append(hooks, map[string]any{})
		case !st.header && len(st.path) == 2 && len(hooks) > 0:
			hooks[len(hooks)-1][st.path[1]] = fromTOML(st)
		}
	}
	events := map[string][]*group{}
	for _, h := range hooks {
		event, _ := h["event"].(string)
		matcher, _ := h["matcher"].(string)
		delete(h, "event")
		delete(h, "matcher")
		events[event] = append(events[event], &group{matcher, []map[string]any{h}})
	}
	return events
}

// eventTables returns the hooks that stand as [[hooks.EVENT]].
func eventTables(all []statement) map[string][]*group {
	events := map[string][]*group{}
	for _, st := range all {
		if len(st.path) < 2 || st.path[0] != hooksKey {
			continue
		}
		event := st.path[1]
		groups := events[event]
		switch {
		case st.header && st.array && len(st.path) == 2:
			events[event] = append(groups, &group{Hooks: []map[string]any{}})
		case len(groups) == 0: // another form
		case st.header && st.array && len(st.path) == 3 && st.path[2] == "hooks":
			last := groups[len(groups)-1]
			last.Hooks = append(last.Hooks, map[string]any{})
		case !st.header && len(st.path) == 3 && st.path[2] == "matcher":
			groups[len(groups)-1].Matcher = st.text
		case !st.header && len(st.path) == 4 && st.path[2] == "hooks":
			if hooks := groups[len(groups)-1].Hooks; len(hooks) > 0 {
				hooks[len(hooks)-1][st.path[3]] = fromTOML(st)
			}
		}
	}
	return events
}

// fromTOML returns a value that JSON has too; others stay text.
func fromTOML(st statement) any {
	if n, err := strconv.ParseInt(strings.ReplaceAll(st.value, "_", ""), 10, 64); err == nil {
		return n
	}
	if st.value == "true" || st.value == "false" {
		return st.value == "true"
	}
	return st.text
}
