package requests

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// A ring holds the requests that wait, the oldest first, and which one is
// looked at: who goes on past the last one is at the first again. The zero
// value is empty.
type ring struct {
	list []waits
	at   int
	// filter is what a request must have in its line, "" for anything.
	filter string
}

// A waits is a request that waits.
type waits struct {
	id, title string
	// seen says that it was shown, chosen that the next answer is for it.
	seen, chosen bool
	// again are the words that confirm that it is approved, "" for none. They are known
	// of what was shown.
	again string
	// revision is that of what was shown, which an approval names.
	revision string
}

// find returns the place of a request, -1 for none.
func (r *ring) find(id string) int {
	return slices.IndexFunc(r.list, func(w waits) bool { return w.id == id })
}

// add adds a request at the end, and reports whether it is new.
func (r *ring) add(id, title string) bool {
	if r.find(id) >= 0 {
		return false
	}
	r.list = append(r.list, waits{id: id, title: title})
	return true
}

// remove takes a request out. The one behind it has its place.
func (r *ring) remove(id string) {
	i := r.find(id)
	if i < 0 {
		return
	}
	r.list = slices.Delete(r.list, i, i+1)
	if i < r.at {
		r.at--
	}
	if r.at >= len(r.list) {
		r.at = 0
	}
}

func (r *ring) matches(i int) bool {
	w := &r.list[i]
	return strings.Contains(strings.ToLower(w.id+" "+render.Plain(w.title)), r.filter)
}

// step goes on to the next request that the filter lets through, or back, and
// reports whether there is another one.
func (r *ring) step(by int) bool {
	n := len(r.list)
	for i := 1; i < n; i++ {
		at := ((r.at+i*by)%n + n) % n
		if r.matches(at) {
			r.at = at
			return true
		}
	}
	return false
}

// current returns the request that is looked at, nil if none waits that the
// filter lets through.
func (r *ring) current() *waits {
	if len(r.list) == 0 || !r.matches(r.at) && !r.step(1) {
		return nil
	}
	return &r.list[r.at]
}

// unseen goes to the first request that was not shown, and returns nil for
// none.
func (r *ring) unseen() *waits {
	r.at = max(0, slices.IndexFunc(r.list, func(w waits) bool { return !w.seen }))
	if w := r.current(); w != nil && !w.seen {
		return w
	}
	return nil
}

// chosen returns the requests that are selected.
func (r *ring) chosen() (list []waits) {
	for i := range r.list {
		if r.list[i].chosen {
			list = append(list, r.list[i])
		}
	}
	return list
}

// second returns the words that confirm that what is selected is approved, "" where that
// takes none.
func (r *ring) second() string {
	for i := range r.list {
		if r.list[i].chosen && r.list[i].again != "" {
			return r.list[i].again
		}
	}
	return ""
}
