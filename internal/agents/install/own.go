package install

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ownLine stands in the template of a script for the command line of the hook.
const ownLine = "@LINE@"

// ownMarks matches the comment of a file of ours that says, in JSON, what it starts.
// ownWords and ownWaits match the lines of a plugin that are exchanged for the words of the
// command and for how long the hook may take, in seconds.
var (
	ownMarks = lineMatching(`^(?://|#) policyctl hook: (\{.*\})$`)
	ownWords = lineMatching(`^const hook = .*$`)
	ownWaits = lineMatching(`^const longestWait = \d+`)
)

func lineMatching(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)" + expression) })
}

// An owned is what a file of ours starts.
type owned struct {
	Event   string `json:"event"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // in seconds
}

// addOwn returns the file of ours. It is an error if what is there is not ours.
func (r *Request) addOwn(text string) (string, error) {
	if _, ours := readOwned(text); !ours && strings.TrimSpace(text) != "" {
		return "", errors.New("policyctl has not written this file: move it away and try again")
	}
	e := r.Agent.events[0]
	timeout := r.timeout(e)
	return r.Agent.write(owned{e.name, r.line(e, timeout), int(timeout / time.Second)}), nil
}

// write returns the file that starts a hook.
func (a *Agent) write(o owned) string {
	mark := "policyctl hook: " + compact(o) + "\n"
	if first, rest, ok := strings.Cut(a.own, "\n"); ok && strings.HasPrefix(first, "#!") {
		return first + "\n# " + mark + strings.ReplaceAll(rest, ownLine, o.Command)
	}
	text := ownWords().ReplaceAllLiteralString(a.own, "const hook = "+compact(split(o.Command)))
	text = ownWaits().ReplaceAllLiteralString(text, "const longestWait = "+strconv.Itoa(o.Timeout))
	return "// " + mark + text
}

// readOwned returns what a file of ours starts; ok is false for another file.
func readOwned(text string) (o owned, ok bool) {
	m := ownMarks().FindStringSubmatch(text)
	if m == nil {
		return o, false
	}
	return o, json.Unmarshal([]byte(m[1]), &o) == nil
}

// isOwn reports whether a file of ours, if it is one, is as Install writes it.
func (a *Agent) isOwn(text string) bool {
	o, ours := readOwned(text)
	return !ours || a.write(o) == text
}

// ownSettings returns the hook of a file of ours as settings in JSON.
func ownSettings(text string) string {
	o, ours := readOwned(text)
	if !ours {
		return "{}"
	}
	handler := object{{"command", o.Command}, {"timeout", o.Timeout}}
	return compact(object{{hooksKey, object{{o.Event, []any{object{{hooksKey, []any{handler}}}}}}}})
}

// A companion is a file that an agent wants beside that of the hook, by its path from
// there.
type companion struct{ path, text string }

// accompany plans the files that the agent wants beside that of the hook.
func (r *Request) accompany(p *Plan, hook *file) error {
	for _, c := range r.Agent.beside {
		f, err := openFile(filepath.Join(filepath.Dir(hook.path), c.path))
		if err != nil {
			return err
		}
		f.shared = hook.shared
		if err := p.change(f, c.text); err != nil {
			return err
		}
	}
	return nil
}

// unaccompany plans the removal of these files, unless somebody has changed them.
func (r *Request) unaccompany(p *Plan, hook *file) error {
	for _, c := range r.Agent.beside {
		f, err := openFile(filepath.Join(filepath.Dir(hook.path), c.path))
		if err != nil || f.text != c.text {
			continue
		}
		if err := p.delete(f, ""); err != nil {
			return err
		}
	}
	return nil
}
