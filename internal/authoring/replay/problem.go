package replay

import "slices"

// A Problem is something of a recording that was not understood, with the
// places where that happened first.
type Problem struct {
	Why    string   `json:"why"`
	Count  int      `json:"count"`
	Places []string `json:"places"`
	// Unread says that a whole file could not be read.
	Unread bool `json:"unread"`
}

// unread is the problem of a file that cannot be read.
func unread(name string, err error) Problem {
	return Problem{Why: "not read: " + err.Error(), Count: 1, Places: []string{name}, Unread: true}
}

// Bounds of what is kept of problems.
const (
	maxPlaces = 5
	maxReason = 200
	maxKinds  = 100
)

// problems groups what was not understood by its reason.
type problems struct {
	list []Problem
	at   map[string]int
}

func (p *problems) add(n Problem) {
	i, known := p.at[n.Why]
	if !known && len(p.list) >= maxKinds && !n.Unread {
		n.Why = "other reasons"
		i, known = p.at[n.Why]
	}
	if !known {
		if p.at == nil {
			p.at = make(map[string]int)
		}
		p.at[n.Why] = len(p.list)
		p.list = append(p.list, n)
		return
	}
	old := &p.list[i]
	old.Count += n.Count
	if room := maxPlaces - len(old.Places); room > 0 {
		old.Places = append(old.Places, n.Places[:min(room, len(n.Places))]...)
	}
}

// sorted returns the problems, files that could not be read first.
func (p *problems) sorted() []Problem {
	out := append([]Problem{}, p.list...)
	slices.SortStableFunc(out, func(a, b Problem) int {
		switch {
		case a.Unread == b.Unread:
			return 0
		case a.Unread:
			return -1
		}
		return 1
	})
	return out
}
