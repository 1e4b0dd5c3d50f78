package auth

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Login is the session of a person as it is shown. Its id is no secret.
type Login struct {
	ID      string    `json:"id"`
	Name    string    `json:"identity"`
	Began   time.Time `json:"began"`
	Expires time.Time `json:"expires"`
}

func (s *session) shown() Login {
	return Login{ID: s.ID, Name: s.Name, Began: s.Expires.Add(-sessionLife).UTC(), Expires: s.Expires.UTC()}
}

// List returns the sessions, the newest first.
func (l *Logins) List() ([]Login, error) {
	out := []Login{}
	err := l.look(func(v *logins) {
		for i := range v.Sessions {
			out = append(out, v.Sessions[i].shown())
		}
	})
	slices.Reverse(out)
	return out, err
}

// End ends the sessions with some ids, and returns those that there were.
func (l *Logins) End(ids ...string) (ended []Login, err error) {
	err = l.change(func(v *logins) {
		ended = nil
		v.Sessions = slices.DeleteFunc(v.Sessions, func(s session) bool {
			if !slices.Contains(ids, s.ID) {
				return false
			}
			ended = append(ended, s.shown())
			return true
		})
	})
	return ended, err
}

// Current returns the id of the session whose secret or cookie a request sends, ""
// for none. It does not check them: that is for [Authenticator.Identify].
func Current(r *http.Request) string {
	if header := r.Header.Get("Authorization"); header != "" {
		_, secret, _ := strings.Cut(header, " ")
		id, _ := parse(loginKind, secret)
		return id
	}
	for _, value := range cookieOf(r) {
		if id, ok := parse(cookieKind, value); ok {
			return id
		}
	}
	return ""
}
