package auth

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	codeTries   = 5 // wrong secrets for one code
	maxCodes    = 5
	sessionLife = 12 * time.Hour
	maxSessions = 64
)

// CodeLife is how long a code for a login is good.
const CodeLife = 2 * time.Minute

// Logins exchanges codes for the sessions of a person. It keeps hashes, in
// memory alone: nobody is logged in after a restart, and names count from 1
// again. It is safe for concurrent use.
type Logins struct {
	now func() time.Time

	mu       sync.Mutex
	codes    []code    // oldest first
	sessions []session // oldest first
	count    int       // logins so far
}

type code struct {
	id      string
	hash    [sha256.Size]byte
	expires time.Time
	wrong   int
}

// A session has two secrets. The one for headers may do all that a person may.
// The one for cookies can only read: a browser sends a cookie to every port of
// a host, so to the server that an agent started next door, too.
type session struct {
	id             string
	header, cookie [sha256.Size]byte
	name           string
	expires        time.Time
	used           code // that it was begun with
}

// A Session is a login, as it is told once to whoever logged in.
type Session struct {
	Secret   string // for "Authorization: Bearer": approve, read, admin
	Cookie   string // for the cookie of [SetCookie]: read
	Identity Identity
	Expires  time.Time
}

// NewLogins returns no logins.
func NewLogins(now func() time.Time) *Logins { return &Logins{now: now} }

// NewCode returns a code for one login within [CodeLife]. It belongs behind
// the # of a URL, where no server and no log sees it. Of more than five codes
// the oldest is void.
func (l *Logins) NewCode() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expire()
	if len(l.codes) == maxCodes {
		l.codes = slices.Delete(l.codes, 0, 1)
	}
	id := mintID()
	text := mint(codeKind, id)
	l.codes = append(l.codes, code{id: id, hash: sha256.Sum256([]byte(text)), expires: l.now().Add(CodeLife)})
	return text
}

// Exchange logs in with a code, which is void then. The error is [ErrDenied].
// Five wrong tries void a code. A try that names no code voids none, so that
// nobody who does not know one can lock a person out.
func (l *Logins) Exchange(text string) (Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expire()
	id, ok := parse(codeKind, text)
	i := slices.IndexFunc(l.codes, func(c code) bool { return c.id == id })
	if !ok || i < 0 {
		return Session{}, ErrDenied
	}
	used := l.codes[i]
	right := same(text, used.hash)
	if l.codes[i].wrong++; right || l.codes[i].wrong == codeTries {
		l.codes = slices.Delete(l.codes, i, i+1)
	}
	if !right {
		return Session{}, ErrDenied
	}
	s := l.begin()
	l.sessions[len(l.sessions)-1].used = used
	return s, nil
}

// Undo ends a session that came to nothing, and makes its code good again for
// the time that the code had: a person who cannot log in for a fault of the
// service need not look for another.
func (l *Logins) Undo(s Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := l.find(loginKind, s.Secret)
	if !ok {
		return
	}
	used := l.sessions[i].used
	l.sessions = slices.Delete(l.sessions, i, i+1)
	if len(l.codes) < maxCodes {
		l.codes = slices.Insert(l.codes, 0, used) // it is the oldest, or nearly so
	}
}

// begin makes a session. Of more than 64 the oldest ends.
func (l *Logins) begin() Session {
	if len(l.sessions) == maxSessions {
		l.sessions = slices.Delete(l.sessions, 0, 1)
	}
	l.count++
	id := mintID()
	s := Session{Secret: mint(loginKind, id), Cookie: mint(cookieKind, id), Expires: l.now().Add(sessionLife)}
	s.Identity = Identity{Name: fmt.Sprintf("login:%d", l.count), Scopes: Approve | Read | Admin}
	l.sessions = append(l.sessions, session{
		id: id, header: sha256.Sum256([]byte(s.Secret)), cookie: sha256.Sum256([]byte(s.Cookie)),
		name: s.Identity.Name, expires: s.Expires,
	})
	return s
}

// Bearer returns the identity of the secret of a session.
func (l *Logins) Bearer(secret string) (Identity, error) { return l.identify(loginKind, secret) }

// Cookie returns the identity of the cookie of a session: it only reads.
func (l *Logins) Cookie(value string) (Identity, error) { return l.identify(cookieKind, value) }

func (l *Logins) identify(k kind, secret string) (Identity, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := l.find(k, secret)
	if !ok {
		return Identity{}, ErrDenied
	}
	identity := Identity{Name: l.sessions[i].name, Scopes: Read}
	if k == loginKind {
		identity.Scopes = Approve | Read | Admin
	}
	return identity, nil
}

// Logout ends the session of a secret or of a cookie. Another one is
// [ErrDenied].
func (l *Logins) Logout(secret string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range []kind{loginKind, cookieKind} {
		if i, ok := l.find(k, secret); ok {
			l.sessions = slices.Delete(l.sessions, i, i+1)
			return nil
		}
	}
	return ErrDenied
}

// find returns the place of the session of a secret.
func (l *Logins) find(k kind, secret string) (int, bool) {
	l.expire()
	id, ok := parse(k, secret)
	i := slices.IndexFunc(l.sessions, func(s session) bool { return s.id == id })
	if !ok || i < 0 {
		return 0, false
	}
	hash := l.sessions[i].header
	if k == cookieKind {
		hash = l.sessions[i].cookie
	}
	return i, same(secret, hash)
}

// expire removes what is over.
func (l *Logins) expire() {
	now := l.now()
	l.codes = slices.DeleteFunc(l.codes, func(c code) bool { return !now.Before(c.expires) })
	l.sessions = slices.DeleteFunc(l.sessions, func(s session) bool { return !now.Before(s.expires) })
}
