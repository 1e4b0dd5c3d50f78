package compat

import (
	"strings"
	"testing"
)

// The log tells which token a URL had, and which one decided.
func TestTokenOfURLOnRecord(t *testing.T) {
	r := newRig(t, nil)
	done := stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	r.do(200, r.boss, "POST", "/requests/clr_1/decision", `{"decision":"rejected","feedback":"no"}`)
	wait(t, done)
	records, err := r.Data.Audit(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"request": strings.Split(r.agent, "_")[1], "decision": strings.Split(r.boss, "_")[1]}
	for _, record := range records {
		if id := want[record.Kind]; id != "" {
			if delete(want, record.Kind); record.Detail["token_id"] != id {
				t.Errorf("%s: %+v, want %s", record.Kind, record.Detail, id)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not recorded: %v", want)
	}
}
