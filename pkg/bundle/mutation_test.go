package bundle

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
)

// mutated changes some bytes of a copy.
func mutated(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(data))
		switch r.IntN(5) {
		case 0:
			data[at] ^= 1 << r.IntN(8)
		case 1:
			data[at] = byte(r.IntN(256))
		case 2:
			data = append(data[:at], data[min(len(data), at+1+r.IntN(64)):]...)
		case 3:
			data = append(data[:at], append(bytes.Clone(data[r.IntN(len(data)):][:1]), data[at:]...)...)
		case 4:
			from := r.IntN(len(data))
			copy(data[at:], data[from:min(len(data), from+1+r.IntN(8))])
		}
		if len(data) == 0 {
			return []byte{0}
		}
	}
	return data
}

// TestMutations changes signed archives at random, packed, unpacked and file by
// file. Some changes say nothing, as in the time stamp of gzip: what is still
// accepted is the same bundle to the last value.
func TestMutations(t *testing.T) {
	good := signed(t, written(t, sample()), main1)
	want, err := Read(good, trust1, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	gz, err := gzip.NewReader(bytes.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	tarball, err := io.ReadAll(gz)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := unpack(good, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 2000 {
		var archive []byte
		switch i % 3 {
		case 0:
			archive = mutated(r, good)
		case 1:
			archive = gzipped(mutated(r, tarball))
		case 2:
			at := r.IntN(len(entries))
			e := entries[at]
			archive = changed(t, good, e.name, string(mutated(r, e.data)))
		}
		got, err := Read(archive, trust1, Limits{})
		if err != nil {
			refused++
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrSignature) && !errors.Is(err, ErrUnsigned) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%d: an error of no kind: %v", i, err)
			}
			continue
		}
		if got.Digest, got.Content = want.Digest, want.Content; !reflect.DeepEqual(got, want) {
			t.Errorf("%d: accepted %+v", i, got)
		}
		if _, err := Read(archive, nil, Limits{}); err != nil {
			t.Errorf("%d: accepted with a key, and without: %v", i, err)
		}
	}
	if refused < 1500 {
		t.Errorf("only %d of 2000 refused", refused)
	}
}
