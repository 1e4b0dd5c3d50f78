package auth

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// A Passkey is what is stored of one: all of it is public. The zero value proves
// nothing.
type Passkey struct {
	ID string
	// Person is whose it is, by a name that [CheckName] accepts; Label is how that
	// person calls it.
	Person, Label string
	// Credential and Public are the id and the key, in COSE, of WebAuthn; Handle is
	// that of the person.
	Credential, Public, Handle []byte
	// Origin is that of the page on which it was registered, and the only one on
	// which it proves anything.
	Origin string
	// Count is the last that the authenticator said of how often it signed, 0
	// where it does not count.
	Count uint32
	// Synced reports whether other devices of the person may have it too.
	Synced            bool
	Created, LastUsed time.Time // the latter is zero for never
}

// personPrefix is what the names of people begin with whom a passkey proves.
const personPrefix = "passkey:"

// Identity is the name of the identity that a passkey proves.
func (p *Passkey) Identity() string { return personPrefix + strings.ToLower(p.Person) }

// Person returns whose passkey the identity logged in by, "" for none.
func (i Identity) Person() string {
	name, ok := strings.CutPrefix(i.Name, personPrefix)
	if !ok {
		return ""
	}
	return name
}

// InBrowser reports whether the identity is a login that may decide: a person at
// a page, not a token and not a program.
func (i Identity) InBrowser() bool {
	return i.TokenID == "" && !i.Guest() && i.Scopes.Has(Approve)
}

// A ShownPasskey is a passkey as the service and the command line show it.
type ShownPasskey struct {
	ID       string     `json:"id"`
	Person   string     `json:"person"`
	Label    string     `json:"label"`
	Origin   string     `json:"origin"`
	Synced   bool       `json:"synced"`
	Created  time.Time  `json:"created"`
	LastUsed *time.Time `json:"last_used"`
}

// Shown returns the passkey as it is shown.
func (p *Passkey) Shown() ShownPasskey {
	return ShownPasskey{p.ID, p.Person, p.Label, p.Origin, p.Synced, p.Created.UTC(), orNull(p.LastUsed)}
}

// maxLabel is the length of the longest label, in characters.
const maxLabel = 64

// CheckLabel says what is wrong with how somebody calls a thing of theirs: it has 1 to
// 64 characters that are seen, and blanks.
func CheckLabel(label string) error {
	if n := utf8.RuneCountInString(label); strings.TrimSpace(label) == "" || n > maxLabel {
		return fmt.Errorf("a label has 1 to %d characters, not %d; choose another, such as work laptop", maxLabel, n)
	}
	odd := func(r rune) bool {
		return clip.Empty(r) || r == utf8.RuneError
	}
	if strings.ContainsFunc(label, odd) {
		return errors.New("the label has a character that is not seen; use letters, digits, signs and blanks")
	}
	return nil
}

// Check says what is wrong with a passkey that is to be stored.
func (p *Passkey) Check() error {
	if err := CheckName(p.Person); err != nil {
		return err
	}
	if err := CheckLabel(p.Label); err != nil {
		return err
	}
	if p.ID == "" || len(p.Credential) == 0 || len(p.Public) == 0 || len(p.Handle) == 0 || CheckOrigin(p.Origin) != nil {
		return fmt.Errorf("passkey %q of %s: it is incomplete", p.ID, p.Person)
	}
	return nil
}

// OriginOf returns the origin of the page that sent a request. Only a browser has
// one, and [webguard.CrossOrigin] has made sure that it is that of the service.
func OriginOf(r *http.Request) (string, error) {
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return "", errors.New("the request does not come from a page of this service; passkeys work in a browser alone: open the desk there")
	}
	return origin, CheckOrigin(origin)
}

// CheckOrigin says why passkeys do not work on the pages of an origin: browsers want
// a name, and https unless it is localhost.
func CheckOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host {
		return fmt.Errorf("%q is not an origin", origin)
	}
	name := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(name); err == nil {
		return fmt.Errorf("the address %s is a number, and passkeys need a name; open the desk at http://localhost, or serve it over https with --host NAME", name)
	}
	local := name == "localhost" || strings.HasSuffix(name, ".localhost")
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("passkeys need https at %s; serve it with --tls-cert and --tls-key", name)
	}
	return nil
}

// Enter logs in the owner of a passkey.
func (l *Logins) Enter(p *Passkey) (s Session, err error) {
	err = l.change(func(v *logins) { s = v.begin(p.Identity(), l.now()) })
	return s, err
}

// Leave ends the logins of the owner of a passkey but that of a secret. It returns
// how many it ended.
func (l *Logins) Leave(p *Passkey, but string) (ended int, err error) {
	err = l.change(func(v *logins) {
		before := len(v.Sessions)
		keep, own := v.find(loginKind, but)
		kept := v.Sessions[:0:0]
		for i := range v.Sessions {
			if v.Sessions[i].Name != p.Identity() || own && i == keep {
				kept = append(kept, v.Sessions[i])
			}
		}
		v.Sessions, ended = kept, before-len(kept)
	})
	return ended, err
}
