package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/replay"
)

// Bounds of how much of a report people are shown.
const (
	shownHeads   = 12
	shownForms   = 8
	shownChanges = 40
	shownLoops   = 10
	shownSavings = 4
	shownExample = 72
)

// Replay writes the report of a replay.
func (p *Page) Replay(r *replay.Report) {
	if r.Interrupted {
		p.line(p.style(bold+yellow, "interrupted: what follows is not all"))
	}
	p.overview(r)
	p.decided(r)
	p.askedMost(r)
	p.permissions(r)
	p.loops(r.Loops)
	for i := range r.Against {
		p.against(r, &r.Against[i])
	}
	p.problems(r.Problems)
}

// overview writes what was read and how often it asks.
func (p *Page) overview(r *replay.Report) {
	var formats []string
	for _, f := range slices.Sorted(maps.Keys(r.Files.Formats)) {
		formats = append(formats, fmt.Sprintf("%d %s", r.Files.Formats[f], f))
	}
	if r.Files.Read == 0 {
		p.field("recordings", none(r.Files.Given))
		return
	}
	from := fmt.Sprintf("%d of %s read", r.Files.Read, plural(r.Files.Given, "file"))
	if len(formats) > 0 {
		from += " (" + strings.Join(formats, ", ") + ")"
	}
	calls := fmt.Sprint(r.Calls)
	if r.Repeated > 0 {
		calls += fmt.Sprintf("; %d more stood there twice and count once", r.Repeated)
	}
	p.field("recordings", from)
	p.field("calls", calls)
	p.field("asks", share(r.Decisions.Ask, r.AsksPer100))
	if r.Undecided > 0 {
		p.field("undecided", fmt.Sprintf("%d of these asks, which an agent with permissions of its own answers by them", r.Undecided))
	}
	s := r.Sessions
	sessions := fmt.Sprint(s.Count)
	if s.Median != nil {
		sessions += fmt.Sprintf("; asks a session: median %d, mean %.1f, 90 %% have at most %d, %d have none", *s.Median, *s.Mean, *s.P90, s.WithoutAsk)
	}
	if s.Nowhere > 0 {
		sessions += fmt.Sprintf("; %s without a session, where no loop is looked for", plural(s.Nowhere, "call"))
	}
	p.field("sessions", sessions)
	if !r.World {
		p.field("files", "not looked at, since they may have changed: what only they could tell asks")
	}
	p.field("revision", r.Revision[:min(12, len(r.Revision))])
}

// Compared writes the figures of the policy and of each other, a line for each.
func (p *Page) Compared(r *replay.Report) {
	p.overview(r)
	if r.Calls > 0 {
		p.Heading("each policy, of " + plural(r.Calls, "call"))
		rows := [][]string{{"POLICY", "ALLOWED", " ASKED", "DENIED", "ASKS A SESSION", "WITHOUT ANY"}}
		rows = append(rows, compared("in force", r.Decisions, r.Sessions))
		for _, c := range r.Against {
			rows = append(rows, compared(c.Name, c.Decisions, c.Sessions))
		}
		p.Table(rows)
	}
	p.problems(r.Problems)
}

func compared(name string, d replay.Decisions, s replay.Sessions) []string {
	all := d.Allow + d.Ask + d.Deny
	of := func(n, width int) string { return fmt.Sprintf("%*.1f %%", width-2, float64(n*1000/all)/10) }
	row := []string{Plain(name), of(d.Allow, 7), of(d.Ask, 6), of(d.Deny, 6), "-", "-"}
	if s.Median != nil {
		row[4] = fmt.Sprintf("median %d, mean %.1f", *s.Median, *s.Mean)
		row[5] = fmt.Sprintf("%d of %d", s.WithoutAsk, s.Count)
	}
	return row
}

// none says that no recording was read, of so many.
func none(given int) string {
	switch given {
	case 0:
		return "none was found"
	case 1:
		return "the one file could not be read"
	}
	return fmt.Sprintf("none of the %d files could be read", given)
}

func share(n int, per100 *float64) string {
	if per100 == nil {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d, which is %.1f of 100 calls", n, *per100)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func (p *Page) decided(r *replay.Report) {
	if r.Calls == 0 {
		return
	}
	p.Heading("decisions, of " + plural(r.Calls, "call"))
	rows := [][]string{{"DECISION", "STAGE", "CALLS", "OF 100"}}
	for _, s := range r.Stages {
		rows = append(rows, []string{
			s.Decision.String(), s.Stage.String(), right(s.Count, 7), fmt.Sprintf("%5.1f", float64(s.Count*1000/r.Calls)/10),
		})
	}
	p.Table(rows)
	if r.Unjudged > 0 {
		p.line(fmt.Sprintf("%s could not be judged, which denies: see the problems.", plural(r.Unjudged, "call")))
	}
}

func right(n, width int) string { return fmt.Sprintf("%*d", width, n) }

func (p *Page) askedMost(r *replay.Report) {
	if len(r.Heads) == 0 {
		return
	}
	p.Heading(fmt.Sprintf("what asked most, of %s", plural(r.Decisions.Ask, "ask")))
	rows := [][]string{{"  ASKS", " ALONE", "WHAT", "FOR EXAMPLE"}}
	for i, h := range r.Heads {
		if i == shownHeads {
			break
		}
		rows = append(rows, []string{right(h.Count, 6), right(h.Alone, 6), h.Name, short(h.Example.Text) + "  " + h.Example.At})
	}
	p.Table(rows)
	if n := len(r.Heads) + r.OtherHeads - shownHeads; n > 0 {
		p.line(fmt.Sprintf("and %d more. ", n))
	}
	p.line("A call can ask because of several things; alone is where nothing else asks.")
}

// short returns a text as one cell of a table.
func short(s string) string {
	text := []rune(Plain(s))
	if len(text) > shownExample {
		return string(text[:shownExample-1]) + "…"
	}
	return string(text)
}

// permissions writes which permission would save most.
func (p *Page) permissions(r *replay.Report) {
	if r.Decisions.Ask == 0 {
		return
	}
	p.Heading(fmt.Sprintf("the permission that would save most, of %s", plural(r.Decisions.Ask, "ask")))
	if r.Untried != "" {
		p.line("not tried: ", Plain(r.Untried))
	} else if len(r.Permissions) == 0 {
		p.line("none that could be proposed")
	}
	for i, s := range r.Permissions {
		if i == shownSavings {
			break
		}
		p.saving(i, &s)
	}
	if len(r.Refused) > 0 {
		p.line("not proposed:")
	}
	for _, f := range r.Refused {
		p.line("  ", right(f.Asks, 6), "  ", Plain(cmp.Or(f.Match, f.Head)), ": ", short(f.Why))
	}
	p.line("policyctl learn proposes the smallest that people's answers support")
}

func (p *Page) saving(i int, s *replay.Saving) {
	if i == 1 {
		p.line("or, each alone:")
	}
	p.line("  ", right(s.Saves, 6), "  ", p.style(bold, Plain(yamlText(s.Match))), ": allow")
	if i > 0 {
		return
	}
	var forms []string
	for k, f := range s.Forms {
		if k == shownForms {
			forms = append(forms, fmt.Sprintf("and %d more", len(s.Forms)-k))
			break
		}
		forms = append(forms, fmt.Sprintf("%s (%d)", cmp.Or(f.Word, "nothing"), f.Count))
	}
	if len(forms) > 1 || len(s.Forms) == 1 && s.Forms[0].Word != "" {
		p.line("          followed by ", Plain(strings.Join(forms, ", ")))
	}
	for _, b := range s.Beyond {
		p.line("          and it lets through ", right(b.Count, 0), " of ", Plain(b.Name), ": ", short(b.Example.Text), "  ", Plain(b.Example.At))
	}
	if len(s.Beyond) == 0 {
		p.line("          and it lets through nothing else that was recorded")
	}
}

func (p *Page) loops(list []replay.Loop) {
	if len(list) == 0 {
		return
	}
	p.Heading(plural(len(list), "session") + " with calls denied as a loop")
	rows := [][]string{{"DENIED", "OF", "SESSION", "FIRST"}}
	for i, l := range list {
		if i == shownLoops {
			break
		}
		rows = append(rows, []string{right(l.Denied, 6), fmt.Sprint(l.Calls), l.Session, short(l.First.Text) + "  " + l.First.At})
	}
	p.Table(rows)
	if n := len(list) - shownLoops; n > 0 {
		p.line(fmt.Sprintf("and %d more", n))
	}
}

// against writes what another policy decides otherwise.
func (p *Page) against(r *replay.Report, c *replay.Comparison) {
	p.Heading("against " + c.Name)
	p.field("asks", share(c.Decisions.Ask, c.AsksPer100))
	p.field("differ", fmt.Sprintf("%s of %d; %d more are decided alike by another stage or rule", plural(c.Differ, "call"), r.Calls, c.Moved))
	if len(c.Changes) == 0 {
		return
	}
	rows := [][]string{{" CALLS", "FROM", "TO", "WHAT", "FOR EXAMPLE"}}
	for i, d := range c.Changes {
		if i == shownChanges {
			break
		}
		rows = append(rows, []string{
			right(d.Count, 6), sideText(d.From), sideText(d.To), d.Head, short(d.Example.Text) + "  " + d.Example.At,
		})
	}
	p.Table(rows)
	if n := len(c.Changes) - shownChanges; n > 0 {
		p.line(fmt.Sprintf("and %d more kinds: --json has them all", n))
	}
}

func sideText(s replay.Side) string {
	text := s.Decision.String() + " " + s.Stage.String()
	if s.Rule != "" {
		text += " " + short(s.Rule)
	}
	return text
}

func (p *Page) problems(list []replay.Problem) {
	if len(list) == 0 {
		return
	}
	p.Heading("not understood")
	for _, n := range list {
		places := strings.Join(n.Places, " ")
		if n.Count > len(n.Places) {
			places += " …"
		}
		p.line(right(n.Count, 6), "  ", Plain(n.Why))
		p.line("        ", p.style(faint, Plain(places)))
	}
}
