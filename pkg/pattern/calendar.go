package pattern

import (
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
)

// scheduleKeys are the keys of the argument of time.
var scheduleKeys = []string{"days", "from", "to", "tz"}

var dayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// time compiles the operator on the instant of the call.
func (c *compiler) time(n document.Node) schedule {
	hours := schedule{to: fullDay, zone: time.UTC}
	if n.Kind == document.Map && len(n.Keys) == 0 {
		c.Fail(n, "time names nothing: give it one of %s", strings.Join(scheduleKeys, ", "))
		return hours
	}
	if n.Kind != document.Map {
		c.Fail(n, "time takes a mapping of %s, not %s", strings.Join(scheduleKeys, ", "), n.Describe())
		return hours
	}
	c.Repeated(n)
	for i, key := range n.Keys {
		value := n.Items[i]
		switch key.Text {
		case "days":
			hours.days = c.days(value)
		case "from":
			c.clock(key, value, &hours.from)
		case "to":
			c.clock(key, value, &hours.to)
		case "tz":
			hours.zone = c.zone(value)
		default:
			c.Suggest(key, spelling.Nearest(key.Text, scheduleKeys), "unknown key %s of time: one of %s",
				clip.Quote(key.Text), strings.Join(scheduleKeys, ", "))
		}
	}
	if hours.from == hours.to {
		c.Fail(n, "time begins and ends at the same minute: leave from and to out to mean the whole day")
	}
	return hours
}

// days compiles one day of the week or a list of them.
func (c *compiler) days(n document.Node) weekdays {
	items := []document.Node{n}
	if n.Kind == document.List {
		items = n.Items
	}
	if len(items) == 0 {
		c.Fail(n, "days has an empty list: leave it out to mean every day")
	}
	var out weekdays
	for _, item := range items {
		found := false
		for day, name := range dayNames {
			if item.Kind == document.Text && item.Text == name {
				out |= 1 << day
				found = true
			}
		}
		if !found {
			c.Suggest(item, spelling.Nearest(strings.ToLower(item.Text), dayNames), "days takes %s, not %s", strings.Join(dayNames, ", "), item.Describe())
		}
	}
	return out
}

// clock reads a time of day such as 09:30; 24:00 ends a day.
func (c *compiler) clock(key, n document.Node, into *int) {
	hours, minutes, ok := strings.Cut(n.Text, ":")
	h, hourErr := strconv.ParseUint(hours, 10, 8)
	m, minuteErr := strconv.ParseUint(minutes, 10, 8)
	total := int(h)*60 + int(m)
	switch {
	case n.Kind != document.Text || !ok || len(hours) != 2 || len(minutes) != 2 || hourErr != nil || minuteErr != nil,
		m > 59, total > fullDay, total == fullDay && key.Text == "from":
		c.Fail(n, `%s takes a time of day such as "09:30", not %s`, key.Text, n.Describe())
		return
	}
	*into = total
}

func (c *compiler) zone(n document.Node) *time.Location {
	zone, err := time.LoadLocation(n.Text)
	if err != nil || n.Kind != document.Text || n.Text == "" || n.Text == "Local" {
		c.Fail(n, "tz takes a time zone such as Europe/Berlin or UTC, not %s", n.Describe())
		return time.UTC
	}
	return zone
}
