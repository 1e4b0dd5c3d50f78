package pattern

import "time"

// A schedule is the argument of the operator time: hours of some days of the
// week in a time zone.
type schedule struct {
	days weekdays // 0 means every day
	// from and to are minutes of the day. to does not belong to it; where it
	// is not after from, it is one of the next day.
	from, to int
	zone     *time.Location
}

// weekdays has a bit for each [time.Weekday].
type weekdays uint8

const fullDay = 24 * 60

// covers reports whether an instant lies in the schedule. The hours that a day
// begins and the next ends are those of the day that begins them.
func (s *schedule) covers(t time.Time) bool {
	t = t.In(s.zone)
	minute, day := t.Hour()*60+t.Minute(), t.Weekday()
	if s.from < s.to {
		return s.has(day) && s.from <= minute && minute < s.to
	}
	yesterday := (day + 6) % 7
	return s.has(day) && minute >= s.from || s.has(yesterday) && minute < s.to
}

func (s *schedule) has(day time.Weekday) bool {
	return s.days == 0 || s.days&(1<<day) != 0
}
