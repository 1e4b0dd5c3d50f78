package replay

import (
	"context"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Recorded is one call of a recording.
type Recorded struct {
	Call *policy.Call
	// Sample is the call as people are shown it, with its place.
	Sample Sample
	// Answer is what became of it, for [Answers].
	Answer Answer
}

// Each yields the calls of recordings in the order in which they stand, a call
// that several hold once. Of the options, Complete and Tools count. It returns
// what was not understood.
func Each(ctx context.Context, inputs []Input, o Options, yield func(Recorded)) []Problem {
	tools := newToolNames(o.Tools)
	return o.walk(ctx, inputs, func(e *event) {
		if e.kind == called {
			yield(Recorded{Call: e.call, Sample: Sample{At: e.at, Text: text(tools, e.call)}})
		}
	})
}

// Answers returns the calls of recordings like [Each], with what became of them.
func Answers(ctx context.Context, inputs []Input, o Options) (calls []Recorded, problems []Problem) {
	type key struct{ thread, id string }
	tools := newToolNames(o.Tools)
	waiting := make(map[key]int)
	problems = o.walk(ctx, inputs, func(e *event) {
		at := key{e.thread, e.id}
		switch e.kind {
		case called:
			calls = append(calls, Recorded{Call: e.call, Sample: Sample{At: e.at, Text: text(tools, e.call)}})
			if e.id != "" {
				waiting[at] = len(calls) - 1
			}
		case answered:
			if i, ok := waiting[at]; ok {
				calls[i].Answer = e.answer
				delete(waiting, at)
			}
		}
	})
	return calls, problems
}

// walk tells of the events of recordings, of a call that several hold once.
func (o *Options) walk(ctx context.Context, inputs []Input, tell func(*event)) []Problem {
	var wrong problems
	var known seen
	for _, in := range inputs {
		if ctx.Err() != nil {
			break
		}
		f, err := in.open()
		if err != nil {
			wrong.add(unread(in.Name, err))
			continue
		}
		r := &recordingPass{name: in.Name, wrong: func(file string, line int, why string) {
			wrong.add(Problem{Why: clip.Text(why, maxReason), Count: 1, Places: []string{place(file, line)}})
		}}
		err = r.read(ctx, f, func(e event) {
			if e.kind == called {
				if e.unique && known.again(e.id) {
					return
				}
				if o.Complete != nil {
					o.Complete(e.call, r.name)
				}
			}
			e.at = place(r.name, r.number)
			tell(&e)
		})
		f.Close()
		if err != nil {
			wrong.add(unread(in.Name, err))
		}
	}
	return wrong.sorted()
}
