package rego

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/policy"
)

// commands returns the simple commands of a shell line; records are those of
// the call.
func (h recordMask) commands(in *policy.Input, records []any) ([]any, error) {
	if in.Line == nil || len(in.Line.Commands) == 0 {
		return []any{}, nil
	}
	if in.Call.Record != nil {
		var err error
		if records, err = h.derived(in); err != nil {
			return nil, err
		}
	}
	hosts := hostsOf(records, len(in.Line.Commands))
	out := make([]any, len(in.Line.Commands))
	for i := range in.Line.Commands {
		m := h.command(&in.Line.Commands[i])
		m["index"], m["hosts"] = at(i), hosts[i]
		m["readonly"] = in.ReadsOnly(i)
		ids, _ := in.Dangers(i)
		m["dangerous"] = validTexts(ids)
		out[i] = m
	}
	return out, nil
}

// hostsOf returns the hosts of n commands, each as its first record has them.
func hostsOf(records []any, n int) []any {
	out := make([]any, n)
	for _, r := range records {
		r := r.(map[string]any)
		index, ok := r["command"].(json.Number)
		i, err := strconv.Atoi(string(index))
		if !ok || err != nil || i >= n || out[i] != nil {
			continue
		}
		facets, _ := r["facets"].(map[string]any)
		fields, _ := facets["shell"].(map[string]any)
		if list, ok := fields["hosts"].([]any); ok {
			out[i] = slices.Clone(list)
		}
	}
	for i := range out {
		if out[i] == nil {
			out[i] = []any{nil}
		}
	}
	return out
}

// command returns what the words and the grammar tell of a simple command.
func (h recordMask) command(c *command.Command) map[string]any {
	words := make([]any, len(c.Words))
	for i := range c.Words {
		words[i] = h.word(&c.Words[i])
	}
	e := effectLists{recordMask: h, c: c}
	e.collect()
	out := map[string]any{
		"program": known(c.Name), "path": h.text(c.Path), "words": words, "dir": h.dir(c.Dir), "parent": at(c.Parent),
	}
	if c.Path == "" {
		out["path"] = nil
	}
	for kind, name := range effectKeys {
		if name != "" {
			out[name] = append([]any{}, e.lists[kind]...)
		}
	}
	return out
}

func (h recordMask) word(w *shell.Word) map[string]any {
	out := map[string]any{"text": nil, "known": false}
	if v, ok := w.Literal(); ok && !w.Many {
		out["text"] = h.text(v)
		out["known"] = out["text"] != nil
	}
	return out
}

// dir returns the directory of a command, null where it is unknown.
func (h recordMask) dir(s shell.Set) any {
	v, ok := s.Literal()
	if !ok || !strings.HasPrefix(v, "/") {
		return nil
	}
	return h.text(v)
}

// effectKeys are the keys of the effects, by [command.EffectKind]. The hosts
// stand in the records.
var effectKeys = [...]string{
	command.Reads: "reads", command.Writes: "writes", command.Deletes: "deletes", command.Moves: "moves", command.Alters: "alters",
	command.Runs: "runs", command.Connects: "",
}

// An effectLists collects the effects of a command by their kind.
type effectLists struct {
	recordMask
	c     *command.Command
	lists [len(effectKeys)][]any
}

// collect finds the effects. The paths of a container or another host are none
// of this machine. Null says that there may be more paths than the words tell.
func (e *effectLists) collect() {
	local := e.c.Context == program.Local
	e.c.Effects(func(f command.Effect) bool {
		if f.Kind == command.Runs || local {
			e.add(f)
		}
		return true
	})
	if !local || !(e.c.Args.Unlisted || e.c.Args.Open) || !e.c.MayChange() {
		return
	}
	for kind := command.Reads; kind <= command.Alters; kind++ {
		e.lists[kind] = orMore(e.lists[kind])
	}
}

// add adds the values of an effect that are known, and null where there may be
// others.
func (e *effectLists) add(f command.Effect) {
	out := e.lists[f.Kind]
	values := f.Target.Values
	if f.Kind != command.Runs {
		values = shell.Paths(f.Dir, f.Target)
	}
	more := f.Target.Open || len(values) == 0
	for _, v := range values {
		if f.Target.Glob || f.Kind != command.Runs && (!strings.HasPrefix(v, "/") || drifts(f)) {
			more = true
			continue
		}
		out = append(out, e.text(v))
	}
	if more {
		out = orMore(out)
	}
	e.lists[f.Kind] = out
}

// drifts reports whether a path is relative to a directory that is unknown for
// certain.
func drifts(f command.Effect) bool {
	if !f.Dir.Open && !f.Dir.Glob {
		return false
	}
	for _, v := range f.Target.Values {
		if !strings.HasPrefix(v, "/") {
			return true
		}
	}
	return false
}
