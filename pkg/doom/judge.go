package doom

import "fmt"

// answer judges c unless its id was seen before.
func (h *history) answer(c Call, l Limits) (f Finding, seen bool, err error) {
	e := h.byID(c.ID)
	if e == nil {
		return h.judge(c, l.clamp()), false, nil
	}
	if e.key != c.Key {
		return Finding{Loop: true}, true, fmt.Errorf("call id %q: %w", c.ID, ErrReused)
	}
	return e.finding(), true, nil
}

// judge reports whether c, which is not recorded yet, completes or continues a
// loop. The shortest period speaks first.
func (h *history) judge(c Call, l Limits) Finding {
	if n := h.run(c, 1); n >= l.Threshold {
		return Finding{Loop: true, Period: 1, Count: n}
	}
	for period := 2; period <= maxPeriod; period++ {
		n := h.run(c, period)
		if n < period*l.Cycles || h.divides(c, period) {
			continue
		}
		if e := h.byKey(c.Key); e.forgiven {
			return Finding{}
		}
		return Finding{Loop: true, Period: period, Count: n / period}
	}
	return Finding{}
}

// run counts the calls that end in c and repeat with the period, as far back
// as they made no progress.
func (h *history) run(c Call, period int) int {
	var latest [maxPeriod]*Key // the latest result at each place of the block
	n := 1
	for ; n <= h.turn && n < depth; n++ {
		e := h.back(n)
		if n >= period && e.key != h.key(c, n-period) {
			break
		}
		if period == 1 && e.forgiven {
			break
		}
		if !e.still(&latest[n%period], c.Polling) {
			break
		}
	}
	return n
}

// still says that the result of e shows no progress against the latest one
// known at its place. To poll is to wait for a change, so there a result must
// be known, unless the call was found to be a loop and never ran.
func (e *entry) still(latest **Key, polling bool) bool {
	if !e.known {
		return !polling || e.period > 0
	}
	if *latest != nil && **latest != e.result {
		return false
	}
	*latest = &e.result
	return true
}

// divides says that the last calls, which repeat with the period, repeat a shorter
// block: a streak whose results change is not a cycle of two either. Half the period,
// rounded down, is its largest proper divisor up to four.
func (h *history) divides(c Call, period int) bool {
	shorter := period / 2
	for n := range period {
		if h.key(c, n) != h.key(c, n+shorter) {
			return false
		}
	}
	return true
}

// key returns the key of c for 0, else that of the nth latest call.
func (h *history) key(c Call, n int) Key {
	if n == 0 {
		return c.Key
	}
	return h.back(n).key
}
