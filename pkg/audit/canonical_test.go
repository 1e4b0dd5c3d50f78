package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
)

// hashed is what is hashed of a record, for a library of RFC 8785.
type hashed struct {
	*Record
	Arguments string `json:"arguments,omitempty"`
	Hash      string `json:"hash,omitempty"` // hides that of the record
}

func reference(t testing.TB, r *Record) string {
	t.Helper()
	p, err := r.plain()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(hashed{Record: p, Arguments: string(p.Arguments)})
	if err != nil {
		t.Fatal(err)
	}
	if data, err = jcs.Transform(data); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The canonical form is that of a library which knows nothing of records.
func TestCanonicalForm(t *testing.T) {
	odd := full()
	var all strings.Builder
	for c := range rune(0x300) {
		all.WriteRune(c)
	}
	odd.Reason = all.String() + "\u2028\u2029\ufeff\uffff😀"
	odd.Detail = map[string]string{"\ufb33": "1", "😀": "2", "a": "", "a\"": "\\", "Z": "3", "\u20ac": "4", "1": "\r"}
	secrets := full()
	secrets.Reason, secrets.Tool = secret, secret
	least := Entry{Time: noon.Truncate(1e9), Kind: KindLogin, Actor: "uid:0"}
	for _, e := range []Entry{full(), odd, secrets, least} {
		r := next(t, nil, e)
		p, err := r.plain()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reference(t, r), string(p.canonical())); diff != "" {
			t.Error(diff)
		}
	}
	if want, got := reference(t, &Record{Seq: maxSeq, Entry: Entry{Time: noon}}), (&Record{Seq: maxSeq, Entry: Entry{Time: noon.UTC()}}).canonical(); want != string(got) {
		t.Errorf("%s, not %s", got, want)
	}
}
