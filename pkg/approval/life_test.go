package approval

import (
	"encoding/json"
	"testing"
	"time"
)

// TestAnswerFor: an end is for what is stored, and within bounds; what is no length
// of time is no answer.
func TestAnswerFor(t *testing.T) {
	for _, tc := range []struct {
		ok   bool
		text string
	}{
		{true, `{"decision":"approved_remember","scope":"here","for":"2h"}`},
		{true, `{"decision":"approved_remember","scope":"session","for":"1m"}`},
		{true, `{"decision":"approved_remember","scope":"here"}`},
		{true, `{"decision":"approved_remember","scope":"here","for":"0s"}`},
		{false, `{"decision":"approved_once","for":"2h"}`},
		{false, `{"decision":"rejected","for":"2h"}`},
		{false, `{"decision":"approved_remember","scope":"here","for":"59s"}`},
		{false, `{"decision":"approved_remember","scope":"here","for":"87601h"}`},
		{false, `{"decision":"approved_remember","scope":"here","for":"-2h"}`},
		{false, `{"decision":"approved_remember","scope":"here","for":"soon"}`},
		{false, `{"decision":"approved_remember","scope":"here","for":""}`},
		{false, `{"decision":"approved_remember","scope":"here","for":7200}`},
	} {
		var a Answer
		err := json.Unmarshal([]byte(tc.text), &a)
		if err == nil {
			a, err = a.settle()
		}
		if (err == nil) != tc.ok {
			t.Errorf("%s: %+v, %v", tc.text, a, err)
		}
	}
	d := Decision{Word: ApprovedRemember, For: Life(2 * time.Hour)}
	text, err := json.Marshal(&d)
	var back Decision
	if err != nil || json.Unmarshal(text, &back) != nil || !back.same(&d) {
		t.Errorf("%s, %v", text, err)
	}
	if d.same(&Decision{Word: ApprovedRemember}) {
		t.Error("an approval with an end repeats one without")
	}
}
