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
}

// Each yields the calls of recordings in the order in which they stand, a call
// that several hold once. Of the options, Complete and Tools count. It returns
// what was not understood.
func Each(ctx context.Context, inputs []Input, o Options, yield func(Recorded)) []Problem {
	var wrong problems
	var known seen
	tools := newToolNames(o.Tools)
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
			if e.kind != called || e.unique && known.again(e.id) {
				return
			}
			if o.Complete != nil {
				o.Complete(e.call)
			}
			yield(Recorded{e.call, Sample{At: place(r.name, r.number), Text: text(tools, e.call)}})
		})
		f.Close()
		if err != nil {
			wrong.add(unread(in.Name, err))
		}
	}
	return wrong.sorted()
}
