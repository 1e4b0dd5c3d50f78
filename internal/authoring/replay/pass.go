package replay

import (
	"context"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// A pass reads all recordings once.
type pass struct {
	o      *Options
	number int // 1 or 2
	tools  *toolNames
	seen   seen
	// sizes are the bytes of each input that were read, from which a second
	// pass takes how far to read: a recording may grow meanwhile.
	sizes map[int]int64
	// size is what all files have, done what was read of those before.
	size, done int64
	counted    byteCounter
	current    *recordingPass

	files, twice int
	given, calls int // calls that are worked on, and that were
	formats      map[Format]int

	batch batch
	// wrong is told of what is not understood.
	wrong func(Problem)
}

func newPass(o *Options, number int) *pass {
	return &pass{
		o: o, number: number, tools: newToolNames(o.Tools),
		sizes: make(map[int]int64), formats: make(map[Format]int),
	}
}

// read reads all inputs. It reports whether it was interrupted.
func (p *pass) read(ctx context.Context, inputs []Input) (stopped bool) {
	for _, in := range inputs {
		p.size += in.size()
	}
	for i, in := range inputs {
		if ctx.Err() != nil {
			break
		}
		p.progress(i, len(inputs))
		if err := p.file(ctx, i, in, len(inputs)); err != nil {
			p.wrong(unread(in.Name, err))
		}
	}
	p.batch.flush(ctx)
	return ctx.Err() != nil
}

// file reads one input.
func (p *pass) file(ctx context.Context, i int, in Input, total int) error {
	size, known := p.sizes[i]
	if p.number > 1 && !known {
		return nil // it could not be read the first time
	}
	f, err := in.open()
	if err != nil {
		return err
	}
	defer f.Close()
	p.counted = byteCounter{from: f}
	if known {
		p.counted.from = io.LimitReader(f, size)
	}
	defer func() { p.done, p.counted.n = p.done+p.counted.n, 0 }()
	p.current = &recordingPass{name: in.Name, wrong: p.line}
	err = p.current.read(ctx, &p.counted, func(e event) {
		before := p.calls
		if p.event(ctx, &e); p.calls > before {
			p.progress(i, total)
		}
	})
	if err != nil || ctx.Err() != nil {
		return err
	}
	p.sizes[i] = p.counted.n
	if p.files++; p.current.format != "" {
		p.formats[p.current.format]++
	}
	return nil
}

// event puts an event where it is worked on.
func (p *pass) event(ctx context.Context, e *event) {
	if ctx.Err() != nil {
		return
	}
	e.size = p.current.size
	if e.kind != called {
		p.batch.add(ctx, e)
		return
	}
	if e.unique && p.seen.again(e.id) {
		p.twice++
		return
	}
	if p.o.Complete != nil {
		p.o.Complete(e.call, p.current.name)
	}
	if ctx.Err() != nil {
		return
	}
	e.at, e.number = place(p.current.name, p.current.number), p.given
	p.given++
	p.batch.add(ctx, e)
}

func (p *pass) progress(file, total int) {
	if p.o.Progress != nil {
		p.o.Progress(Progress{
			Pass: p.number, Files: file, Total: total, Calls: p.calls, Read: p.done + p.counted.n, Size: p.size,
		})
	}
}

// line tells of a line that was not understood.
func (p *pass) line(file string, number int, why string) {
	p.wrong(Problem{Why: clip.Text(why, maxReason), Count: 1, Places: []string{place(file, number)}})
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// sample returns a call as people are shown it.
func (p *pass) sample(e *event) Sample { return Sample{At: e.at, Text: text(p.tools, e.call)} }
