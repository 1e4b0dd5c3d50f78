package authtest

import "github.com/policyctl/policyctl/internal/service/auth"

// Code returns a code for one login, of logins that cannot fail.
func Code(l *auth.Logins) string {
	code, err := l.NewCode()
	if err != nil {
		panic(err)
	}
	return code
}
