package decisionlog

import (
	"bytes"
	"compress/gzip"
)

// A packer makes chunks. Who holds the logger's sender uses it.
type packer struct {
	most   int64 // bytes of a compressed chunk, as configured
	limit  int64 // as the server takes them
	budget int64 // raw bytes that are likely to fit
	// few is how many events a chunk may have, 0 for any number: the server
	// refused one with more for good, perhaps for one event alone.
	few  int
	gzip *gzip.Writer
}

// pack compresses as many of the oldest events as fit into a chunk, and says
// how many. The chunk is nil where the first alone does not fit.
func (p *packer) pack(events [][]byte) (body []byte, n int) {
	if p.few > 0 {
		events = events[:min(len(events), p.few)]
	}
	raw := int64(0)
	for n < len(events) && (n == 0 || raw+int64(len(events[n])) < p.budget) {
		raw += int64(len(events[n]))
		n++
	}
	for ; n > 0; n /= 2 {
		body = p.compress(events[:n])
		if size := int64(len(body)); size <= p.limit || n == 1 && size <= p.most {
			p.learn(raw, size)
			return body, n
		}
		p.budget = max(p.limit, p.budget/2)
	}
	return nil, 0
}

// learn raises the budget where a chunk came out at less than half of the
// limit.
func (p *packer) learn(raw, size int64) {
	const best = 32 // JSON hardly packs better
	if size < p.limit/2 && raw > p.budget/2 && p.budget < best*p.limit {
		p.budget *= 2
	}
}

// took lets chunks have more events again after one that the server took.
func (p *packer) took() {
	const any = 1 << 10
	if p.few *= 2; p.few > any {
		p.few = 0
	}
}

// halve lowers the limit after a chunk of a size was too large for the server.
func (p *packer) halve(size int) {
	p.limit = max(1, int64(size)/2)
	p.budget = p.limit
}

func (p *packer) compress(events [][]byte) []byte {
	var b bytes.Buffer
	if p.gzip == nil {
		p.gzip = gzip.NewWriter(&b)
	} else {
		p.gzip.Reset(&b)
	}
	p.gzip.Write([]byte{'['}) // a bytes.Buffer never fails
	for i, e := range events {
		if i > 0 {
			p.gzip.Write([]byte{','})
		}
		p.gzip.Write(e)
	}
	p.gzip.Write([]byte{']'})
	p.gzip.Close()
	return b.Bytes()
}
