package approval

import (
	"encoding/json"
	"strings"
	"testing"
)

// Who searches finds what a request says, and never its secrets.
func TestWords(t *testing.T) {
	r := &Request{
		ID: "req_1", Title: "shell: make", Call: json.RawMessage(`{"input":{"command":"make deploy","list":["one",{"two":"three"}],"password":"correcthorse"}}`),
		Decision: &Decision{By: "token:ann", Reason: "not today", Saved: []string{"make anywhere"}}, Asked: Asked{Why: "it may change something"},
	}
	words := r.Words()
	for _, want := range []string{"req_1", "make deploy", "one", "three", "token:ann", "not today", "make anywhere", "it may change something"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q lacks %q", words, want)
		}
	}
	if strings.Contains(words, "correcthorse") {
		t.Errorf("it has the password: %q", words)
	}
	r.Call = json.RawMessage(`{"input":{"content":"` + strings.Repeat("word ", 2000) + strings.Repeat("x", 4000) + `"}}`)
	if words := r.Words(); len(words) > maxWords || strings.Contains(words, "x") && strings.HasSuffix(words, "x") {
		t.Errorf("%d bytes, which end with half of a word", len(words))
	}
}

func TestProgram(t *testing.T) {
	for _, row := range []struct {
		want, call string
		span       *[2]int
	}{
		{"make", `{"input":{"command":"make deploy"}}`, nil},
		{"npm", `{"input":{"command":"cd web && npm test"}}`, &[2]int{10, 18}},
		{"make", `{"input":{"command":"A=1 make"}}`, nil},
		{"./a=b", `{"input":{"command":"./a=b c"}}`, nil},
		{"write", `{"input":{"file_path":"/a"}}`, nil},
		{"write", ``, nil},
		{"make", `{"input":{"command":"make"}}`, &[2]int{2, 99}},
	} {
		r := &Request{Tool: "write", Call: json.RawMessage(row.call), Asked: Asked{Span: row.span}}
		if got := r.Program(); got != row.want {
			t.Errorf("%s: %s, want %s", row.call, got, row.want)
		}
	}
}
