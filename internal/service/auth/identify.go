package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Errors of [Authenticator.Identify] beside [ErrDenied] and [ErrAbsent].
var (
	ErrInURL = errors.New("the URL contains a credential, and logs keep URLs; revoke it, and send the next one in the Authorization header")
	ErrTwice = errors.New("there is more than one Authorization header or session cookie; send one")
)

// Refused reports whether an error says that a request has no credential that counts, and
// not that this could not be found out.
func Refused(err error) bool {
	return errors.Is(err, ErrDenied) || errors.Is(err, ErrAbsent) || errors.Is(err, ErrInURL) || errors.Is(err, ErrTwice)
}

// deciding are the scopes that nobody has below an agent.
const deciding = Approve | Admin

// Identify returns who sent a request, who neither approves nor manages where
// an agent's program sent it.
func (a *Authenticator) Identify(r *http.Request) (Identity, error) {
	i, err := a.identify(r)
	if err == nil && i.Scopes.HasAny(deciding) {
		if i.Agent = a.AgentOf(r.Context()); i.Agent != "" {
			i.Scopes &^= deciding
		}
	}
	return i, err
}

// identify returns who sent a request: by the Authorization header, else by
// the cookie of a login, else by the Unix socket. A credential that is not
// accepted is an error, whatever else the request has.
func (a *Authenticator) identify(r *http.Request) (Identity, error) {
	if inQuery(r) {
		return Identity{}, ErrInURL
	}
	if headers := r.Header.Values("Authorization"); len(headers) > 0 {
		return a.header(r.Context(), headers)
	}
	if cookies := cookieOf(r); len(cookies) > 1 {
		return Identity{}, ErrTwice
	} else if len(cookies) == 1 {
		return a.logins.Cookie(cookies[0])
	}
	if identity, ok := peerIdentity(r.Context(), a.uid); ok {
		return identity, nil
	}
	return Identity{}, ErrAbsent
}

// header returns the identity of the Authorization headers.
func (a *Authenticator) header(ctx context.Context, headers []string) (Identity, error) {
	if len(headers) > 1 {
		return Identity{}, ErrTwice
	}
	scheme, secret, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return Identity{}, ErrDenied
	}
	if strings.HasPrefix(secret, string(loginKind)) {
		return a.logins.Bearer(secret)
	}
	return a.Token(ctx, secret)
}

// inQuery reports whether a credential stands in the query of a request.
func inQuery(r *http.Request) bool {
	for key, values := range r.URL.Query() {
		for _, value := range append(values, key) {
			if anyCredential(value) {
				return true
			}
		}
	}
	return false
}

type identityKey struct{}

// NewContext returns a context with an identity.
func NewContext(ctx context.Context, i Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, i)
}

// FromContext returns the identity of a context, and whether there is one.
func FromContext(ctx context.Context) (Identity, bool) {
	i, ok := ctx.Value(identityKey{}).(Identity)
	return i, ok
}
