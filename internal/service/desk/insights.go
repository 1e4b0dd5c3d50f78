package desk

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

// An insightsPage is what was asked and answered, over what this service decided.
type insightsPage struct {
	Days, Asks, Sessions int
	Choices              []int
	// Cut says that older requests of the time are left out.
	Cut   bool
	Plots []*plot
	// Median and Slow are how long people took to decide, half of the times and nine
	// of ten; "" where nobody decided.
	Median, Slow string
	// Learnt are the permissions that people's answers support, nil where they are
	// still looked for.
	Learnt *learnt
}

// maxFacts bounds the requests that statistics look at.
const maxFacts = 10_000

func (d *Desk) insights(x *route.Exchange) (string, *frame, error) {
	days, err := x.Number("days", 30, 1, 366)
	if err != nil {
		return "", nil, err
	}
	now := x.Now().UTC()
	since := now.Truncate(24*time.Hour).AddDate(0, 0, 1-int(days))
	facts, err := x.Data.Facts(x.Context(), since, maxFacts)
	if err != nil {
		return "", nil, err
	}
	page := &insightsPage{Days: int(days), Asks: len(facts), Cut: len(facts) == maxFacts, Choices: []int{7, 30, 90, 365}}
	if !slices.Contains(page.Choices, page.Days) {
		page.Choices = append(page.Choices, page.Days)
		slices.Sort(page.Choices)
	}
	page.count(facts, since, now)
	if page.Learnt, err = d.learn(x); err != nil {
		return "", nil, err
	}
	return "insights.html", &frame{Title: "Insights", At: "insights", Content: page}, nil
}

// count makes the plots.
func (p *insightsPage) count(facts []approval.Fact, since, now time.Time) {
	type key struct {
		part    int
		session string
	}
	step := 1
	if p.Days > maxDays {
		step = 7
	}
	parts := (int(now.Sub(since).Hours()/24) + step) / step
	asks, perPart, sessions := make([]int, parts), make([]int, parts), make(map[key]bool)
	rules, stages, programs, outcomes, people := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	all := map[string]bool{}
	var waits []time.Duration
	for i := range facts {
		f := &facts[i]
		if part := int(f.Asked.Sub(since).Hours()/24) / step; part >= 0 && part < parts {
			asks[part]++
			if k := (key{part, f.Session}); !sessions[k] {
				sessions[k] = true
				perPart[part]++
			}
		}
		all[f.Session] = true
		rules[cmp.Or(f.Rule, "no rule")]++
		stages[f.Stage]++
		programs[f.Program]++
		outcomes[outcome(f.State)]++
		if f.By != "" {
			people[f.By]++
		}
		if f.Source == approval.Human {
			waits = append(waits, max(0, f.Decided.Sub(f.Asked)))
		}
	}
	p.Sessions = len(all)
	p.Plots = []*plot{
		perSession(since, step, asks, perPart), ranked("What asks most: rules", "rule", rules), ranked("What asks most: stages", "stage", stages),
		ranked("What is asked about most: programs and tools", "program", programs), p.shares(outcomes), p.waited(waits), ranked("Who answers", "who", people),
	}
}

// outcome is what became of a request, in few words.
func outcome(s approval.State) string {
	switch s {
	case approval.Pending:
		return "pending"
	case approval.Denied:
		return "denied"
	case approval.TimedOut:
		return "timed out"
	case approval.Cancelled:
		return "cancelled"
	}
	return "approved"
}

// maxDays is for how many days a plot has a bar a day; for more it has one a week.
const maxDays = 45

// perSession is how often a session asks, in parts of so many days.
func perSession(since time.Time, step int, asks, sessions []int) *plot {
	name := "day"
	if step > 1 {
		name = "week from"
	}
	out := &plot{Title: "Asks a session", Columns: []string{name, "asks a session", "asks", "sessions"}}
	for i, n := range asks {
		rate := 0.0
		if n > 0 {
			rate = float64(n) / float64(sessions[i])
		}
		day := since.AddDate(0, 0, i*step).Format(time.DateOnly)
		out.Rows = append(out.Rows, plotRow{day, rate, []string{day, fmt.Sprintf("%.1f", rate), fmt.Sprint(n), fmt.Sprint(sessions[i])}})
	}
	return out.upright()
}

// maxRanked is how many rows a plot of the most frequent has.
const maxRanked = 8

// ranked is the most frequent of what was counted.
func ranked(title, column string, counts map[string]int) *plot {
	out := &plot{Title: title, Columns: []string{column, "requests", "share"}}
	all, rest := 0, 0
	for _, n := range counts {
		all += n
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		if i >= maxRanked {
			rest += counts[name]
			continue
		}
		out.Rows = append(out.Rows, share(name, counts[name], all))
	}
	if rest > 0 {
		out.Rows = append(out.Rows, share(fmt.Sprintf("%d others", len(names)-maxRanked), rest, all))
	}
	return out.lying()
}

func share(name string, n, all int) plotRow {
	return plotRow{name, float64(n), []string{name, fmt.Sprint(n), fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(1, all)))}}
}

func (p *insightsPage) shares(outcomes map[string]int) *plot {
	out := &plot{Title: "What became of them", Columns: []string{"outcome", "requests", "share"}}
	for _, name := range []string{"approved", "denied", "timed out", "cancelled", "pending"} {
		out.Rows = append(out.Rows, share(name, outcomes[name], p.Asks))
	}
	return out.lying()
}

// waited is how long people took to decide.
func (p *insightsPage) waited(waits []time.Duration) *plot {
	slices.Sort(waits)
	if n := len(waits); n > 0 {
		p.Median, p.Slow = lapse(waits[(n-1)/2]), lapse(waits[(n*9+9)/10-1])
	}
	out := &plot{Title: "Time to decision", Columns: []string{"within", "decisions", "share"}}
	before := time.Duration(-1)
	for _, edge := range []struct {
		name string
		most time.Duration
	}{{"5 s", 5 * time.Second}, {"15 s", 15 * time.Second}, {"1 min", time.Minute}, {"5 min", 5 * time.Minute}, {"15 min", 15 * time.Minute}, {"longer", 1<<63 - 1}} {
		n := 0
		for _, w := range waits {
			if w > before && w <= edge.most {
				n++
			}
		}
		out.Rows, before = append(out.Rows, share(edge.name, n, len(waits))), edge.most
	}
	return out.lying()
}

// lapse is a time that has passed as people say it.
func lapse(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}
