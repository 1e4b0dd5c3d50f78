package api_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// A new word of the user has the loop guard of the session count anew, and of
// no other session.
func TestTurn(t *testing.T) {
	s := servertest.New(t, servertest.Options{})
	agent := s.Token(t, "agent", "submit")
	decide := func(session string) any {
		return s.Do(t, agent, "POST", "/v1/decide", `{"tool":"shell","input":{"command":"make"},"session":"`+session+`","dir":"/src"}`).At("decision")
	}
	for _, session := range []string{"a", "b"} {
		for i, want := range []string{"ask", "ask", "deny"} {
			if got := decide(session); got != want {
				t.Fatalf("%s %d: %v, want %s", session, i, got, want)
			}
		}
	}
	for _, session := range []string{"a", "unknown"} {
		if a := s.Do(t, agent, "POST", "/v1/sessions/"+session+"/turn", ""); a.Status != 200 || a.At("session") != session {
			t.Errorf("%d %s", a.Status, a.Text)
		}
	}
	if got := decide("a"); got != "ask" {
		t.Errorf("after the turn: %v", got)
	}
	if got := decide("b"); got != "deny" {
		t.Errorf("another session: %v", got)
	}
	if a := s.Do(t, s.Token(t, "boss", "approve,read"), "POST", "/v1/sessions/b/turn", ""); a.Status != 403 {
		t.Errorf("who only decides: %d", a.Status)
	}
}
