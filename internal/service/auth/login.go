package auth

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf"
)

const (
	codeTries   = 5 // wrong secrets for one code
	maxCodes    = 5
	sessionLife = 12 * time.Hour
	maxSessions = 64
)

// CodeLife is how long a code for a login is good.
const CodeLife = 2 * time.Minute

// Logins exchanges codes for the sessions of a person. It keeps hashes: in memory, where
// nobody is logged in after a restart and names count from 1 again, or on a [shelf.Shelf], where
// a code or a session of one instance of the service is good at all. It is safe for
// concurrent use.
type Logins struct {
	now  func() time.Time
	kept shelved[logins]
}

// logins are all that there are.
type logins struct {
	Codes    []code    // oldest first
	Sessions []session // oldest first
	Count    int       // logins so far
}

type code struct {
	ID      string
	Hash    [sha256.Size]byte
	Expires time.Time
	Wrong   int
}

// A session has two secrets. The one for headers may do all that a person may.
// The one for cookies can only read: a browser sends a cookie to every port of
// a host, so to the server that an agent started next door, too.
type session struct {
	ID             string
	Header, Cookie [sha256.Size]byte
	Name           string
	Expires        time.Time
	Used           code // that it was begun with
}

// A Session is a login, as it is told once to whoever logged in.
type Session struct {
	Secret   string // for "Authorization: Bearer": approve, read, admin
	Cookie   string // for the cookie of [SetCookie]: read
	Identity Identity
	Expires  time.Time
}

// NewLogins returns the logins of a shelf, or none in memory for a nil one.
func NewLogins(now func() time.Time, on shelf.Shelf) *Logins {
	return &Logins{now: now, kept: shelved[logins]{shelf: on}}
}

// look and change give what there is and is not over.
func (l *Logins) look(see func(*logins)) error {
	return l.kept.look(func(v *logins) { v.expire(l.now()); see(v) })
}

func (l *Logins) change(edit func(*logins)) error {
	return l.kept.change(func(v *logins) { v.expire(l.now()); edit(v) })
}

// NewCode returns a code for one login within [CodeLife]. It belongs behind
// the # of a URL, where no server and no log sees it. Of more than five codes
// the oldest is void.
func (l *Logins) NewCode() (string, error) {
	id := mintID()
	text := mint(codeKind, id)
	err := l.change(func(v *logins) {
		if len(v.Codes) == maxCodes {
			v.Codes = slices.Delete(v.Codes, 0, 1)
		}
		v.Codes = append(v.Codes, code{ID: id, Hash: sha256.Sum256([]byte(text)), Expires: l.now().Add(CodeLife)})
	})
	if err != nil {
		return "", err
	}
	return text, nil
}

// Exchange logs in with a code, which is void then. The error is [ErrDenied], or that of
// the shelf. Five wrong tries void a code. A try that names no code voids none, so that
// nobody who does not know one can lock a person out.
func (l *Logins) Exchange(text string) (s Session, err error) {
	id, ok := parse(codeKind, text)
	if !ok {
		return Session{}, ErrDenied
	}
	right := false
	err = l.change(func(v *logins) {
		right = false
		i := slices.IndexFunc(v.Codes, func(c code) bool { return c.ID == id })
		if i < 0 {
			return
		}
		used := v.Codes[i]
		right = same(text, used.Hash)
		if v.Codes[i].Wrong++; right || v.Codes[i].Wrong == codeTries {
			v.Codes = slices.Delete(v.Codes, i, i+1)
		}
		if right {
			s = v.begin("", l.now())
			v.Sessions[len(v.Sessions)-1].Used = used
		}
	})
	if err == nil && !right {
		err = ErrDenied
	}
	if err != nil {
		return Session{}, err
	}
	return s, nil
}

// Undo ends a session that came to nothing, and makes its code good again for
// the time that the code had: a person who cannot log in for a fault of the
// service need not look for another.
func (l *Logins) Undo(s Session) error {
	return l.change(func(v *logins) {
		i, ok := v.find(loginKind, s.Secret)
		if !ok {
			return
		}
		used := v.Sessions[i].Used
		v.Sessions = slices.Delete(v.Sessions, i, i+1)
		if used.ID != "" && len(v.Codes) < maxCodes {
			v.Codes = slices.Insert(v.Codes, 0, used) // it is the oldest, or nearly so
		}
	})
}

// begin makes a session; "" stands for the name of a new login. Of more than 64 the
// oldest ends.
func (v *logins) begin(name string, now time.Time) Session {
	if len(v.Sessions) == maxSessions {
		v.Sessions = slices.Delete(v.Sessions, 0, 1)
	}
	v.Count++
	if name == "" {
		name = fmt.Sprintf("login:%d", v.Count)
	}
	id := mintID()
	s := Session{Secret: mint(loginKind, id), Cookie: mint(cookieKind, id), Expires: now.Add(sessionLife)}
	s.Identity = Identity{Name: name, Scopes: Approve | Read | Admin}
	v.Sessions = append(v.Sessions, session{
		ID: id, Header: sha256.Sum256([]byte(s.Secret)), Cookie: sha256.Sum256([]byte(s.Cookie)),
		Name: name, Expires: s.Expires,
	})
	return s
}

// Bearer returns the identity of the secret of a session.
func (l *Logins) Bearer(secret string) (Identity, error) { return l.identify(loginKind, secret) }

// Cookie returns the identity of the cookie of a session: it only reads.
func (l *Logins) Cookie(value string) (Identity, error) { return l.identify(cookieKind, value) }

func (l *Logins) identify(k kind, secret string) (who Identity, err error) {
	found := false
	err = l.look(func(v *logins) {
		var i int
		if i, found = v.find(k, secret); found {
			who = Identity{Name: v.Sessions[i].Name, Scopes: Read}
		}
	})
	switch {
	case err != nil:
		return Identity{}, fmt.Errorf("the login cannot be looked up: %w", err)
	case !found:
		return Identity{}, ErrDenied
	case k == loginKind:
		who.Scopes = Approve | Read | Admin
	}
	return who, nil
}

// Logout ends the session of a secret or of a cookie. Another one is
// [ErrDenied].
func (l *Logins) Logout(secret string) error {
	ended := false
	err := l.change(func(v *logins) {
		ended = false
		for _, k := range []kind{loginKind, cookieKind} {
			if i, ok := v.find(k, secret); ok {
				v.Sessions = slices.Delete(v.Sessions, i, i+1)
				ended = true
				return
			}
		}
	})
	if err == nil && !ended {
		return ErrDenied
	}
	return err
}

// find returns the place of the session of a secret.
func (v *logins) find(k kind, secret string) (int, bool) {
	id, ok := parse(k, secret)
	i := slices.IndexFunc(v.Sessions, func(s session) bool { return s.ID == id })
	if !ok || i < 0 {
		return 0, false
	}
	hash := v.Sessions[i].Header
	if k == cookieKind {
		hash = v.Sessions[i].Cookie
	}
	return i, same(secret, hash)
}

// expire removes what is over.
func (v *logins) expire(now time.Time) {
	v.Codes = slices.DeleteFunc(v.Codes, func(c code) bool { return !now.Before(c.Expires) })
	v.Sessions = slices.DeleteFunc(v.Sessions, func(s session) bool { return !now.Before(s.Expires) })
}
