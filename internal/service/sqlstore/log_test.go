package sqlstore_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A stored row has a number, a hash and a text.
type stored struct {
	seq  int64
	hash string
	text string
	err  error
}

func (s stored) Scan(into ...any) error {
	*into[0].(*int64), *into[1].(*string), *into[2].(*[]byte) = s.seq, s.hash, []byte(s.text)
	return s.err
}

// recordIn returns a record and how it is stored.
func recordIn(t *testing.T, reason string) (*audit.Record, string) {
	t.Helper()
	r, err := audit.Next(nil, audit.Entry{Time: time.Unix(1_800_000_000, 0), Kind: audit.KindLogin, Actor: "login:1", Reason: reason})
	if err != nil {
		t.Fatal(err)
	}
	text, err := strictjson.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

// A record is read as it was written, in its place, and otherwise it says what is wrong.
func TestScanRecord(t *testing.T) {
	for _, reason := range []string{"x", "with a rare escape: \b\u2028"} {
		r, text := recordIn(t, reason)
		nobody := strings.Replace(text, `"seq":1,`, `"seq":0,`, 1)
		for name, row := range map[string]struct {
			stored
			want string
		}{
			"as it was":       {stored{1, r.Hash, text, nil}, ""},
			"no JSON":         {stored{1, r.Hash, text[1:], nil}, "it is damaged"},
			"another place":   {stored{2, r.Hash, text, nil}, "record 1 is in its place"},
			"no place":        {stored{0, r.Hash, nobody, nil}, "record 0 is in its place"},
			"another hash":    {stored{1, strings.Repeat("0", 64), text, nil}, "it is not as it was written"},
			"another writing": {stored{1, r.Hash, strings.Replace(text, ",", ", ", 1), nil}, "it is not as it was written"},
			"unread":          {stored{1, r.Hash, text, errors.New("gone")}, "gone"},
		} {
			got, err := sqlstore.ScanRecord(row.stored)
			if row.want == "" && (err != nil || got.Reason != r.Reason || got.Hash != r.Hash) || row.want != "" && (got != nil || err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("%s: %+v, %v, want %q", name, got, err, row.want)
			}
		}
	}
}

// The checkpoint behind which a log begins is that of its row.
func TestScanBase(t *testing.T) {
	r, _ := recordIn(t, "x")
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := audit.Sign(func(text []byte) ([]byte, error) { return ed25519.Sign(key, text), nil }, "k", r, time.Unix(1_800_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		stored
		want string
	}{
		"as it was":    {stored{1, r.Hash, string(text), nil}, ""},
		"no JSON":      {stored{1, r.Hash, "{", nil}, "its checkpoint is damaged"},
		"another row":  {stored{2, r.Hash, string(text), nil}, "it is one of record 1"},
		"another hash": {stored{1, "0", string(text), nil}, "it is one of record 1"},
		"unread":       {stored{1, r.Hash, string(text), errors.New("gone")}, "gone"},
	} {
		got, err := sqlstore.ScanBase(row.stored)
		if row.want == "" && (err != nil || got.Seq != 1) || row.want != "" && (got != nil || err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %+v, %v, want %q", name, got, err, row.want)
		}
	}
}
