package channel

import (
	"slices"
	"unicode/utf8"
)

// Cut is what a message says where texts of it were cut.
const Cut = "cut: the rest is on the page"

// minShown is how short a text of a message may become, in runes, before Fit gives up.
const minShown = 24

// Fit returns the message with its longest texts cut, the command or values of fields,
// so that size, of what a service is sent, is at most limit. It says so in Note, and
// leaves out the buttons that approve what is not shown whole. The message itself does
// not change. Where short texts are still too much, it returns them.
func (m *Message) Fit(limit int, size func(*Message) int) *Message {
	out := *m
	out.Fields = append([]Field{}, m.Fields...)
	for size(&out) > limit {
		longest := &out.Command
		for i := range out.Fields {
			if f := &out.Fields[i]; utf8.RuneCountInString(f.Value) > utf8.RuneCountInString(*longest) {
				longest = &f.Value
			}
		}
		runes := []rune(*longest)
		if len(runes) <= minShown {
			break
		}
		*longest = string(runes[:len(runes)*7/8]) + "…"
		if out.Note = Cut; m.Risk != risks[0] && len(m.Buttons) > 0 {
			out.Held = notWhole
		}
	}
	if out.Note != m.Note && m.Risk != risks[0] {
		out.Buttons = slices.DeleteFunc(slices.Clone(m.Buttons), func(b Button) bool { return b.Token != "" && b.Style != Danger })
	}
	return &out
}
