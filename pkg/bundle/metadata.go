package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// metadataKeys are the keys below metadata.policyctl.
var metadataKeys = []string{"sequence", "built", "expires"}

func (b *Bundle) readMetadata(all map[string]any) error {
	value, there := all[own]
	if !there {
		return nil
	}
	metadata, ok := value.(map[string]any)
	if !ok {
		return errors.New("it is not an object; write {\"sequence\": 1}")
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if !slices.Contains(metadataKeys, key) {
			return unknownKey(key)
		}
	}
	var err error
	if n, there := metadata["sequence"]; there {
		if b.Sequence, err = sequence(n); err != nil {
			return err
		}
	}
	if b.Built, err = date(metadata, "built"); err != nil {
		return err
	}
	if b.Expires, err = date(metadata, "expires"); err != nil {
		return err
	}
	if !b.Built.IsZero() && !b.Expires.IsZero() && !b.Built.Before(b.Expires) {
		return errors.New("expires is not after built; set a later date")
	}
	return nil
}

// sequence accepts digits only: 1e3, 1.0 and "1" are not how one counts.
func sequence(value any) (uint64, error) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, errors.New("sequence is not a number; write a whole number like 12")
	}
	count, err := strconv.ParseUint(n.String(), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("sequence %s is not a whole number from 0 to 18446744073709551615; write one like 12", shown(n.String()))
	}
	return count, nil
}

// date returns the time below a key, or zero where there is none.
func date(metadata map[string]any, key string) (time.Time, error) {
	value, there := metadata[key]
	if !there {
		return time.Time{}, nil
	}
	text, ok := value.(string)
	t, err := time.Parse(time.RFC3339, text)
	if !ok || err != nil || t.IsZero() { // the zero time would read as no date
		return time.Time{}, fmt.Errorf("%s is not a date; write one like 2026-01-31T12:00:00Z, or leave it out", key)
	}
	return t.UTC(), nil
}

// unknownKey refuses a key: a misspelt "expires" must not mean "for ever".
func unknownKey(key string) error {
	best, most := "", 2 // two letters in common say nothing
	for _, known := range metadataKeys {
		n := 0
		for n < min(len(key), len(known)) && key[n]|0x20 == known[n] {
			n++
		}
		if n > most {
			best, most = known, n
		}
	}
	if best == "" {
		return fmt.Errorf("unknown key %s; known are %s", shown(key), strings.Join(metadataKeys, ", "))
	}
	return fmt.Errorf("unknown key %s; did you mean %q?", shown(key), best)
}
