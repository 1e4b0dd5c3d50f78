package config

import "go.yaml.in/yaml/v3"

// A Service is the approval service to which a policy sends what it asks. The
// zero value names none: that of the machine is used, if one runs.
type Service struct {
	// URL is its address, http or https.
	URL string
	// TokenFile holds the token of who asks; KeysFile the JWK set of the keys
	// whose receipts are trusted. Both are absolute or begin with "~/".
	TokenFile, KeysFile string
}

var serviceForm = form[draft]{beginning("https://", "http://"), func(d *decoder, n *yaml.Node, s *draft) {
	address(func(s *draft) *string { return &s.service.URL }, "https://", "http://").decode(d, n, s)
	s.named = func(warning string) { d.warn(n, "", "%s", warning) }
}}

// settleService warns of a service whose answers nobody could verify. No call
// changes the files on which its approvals rest.
func (s *draft) settleService() {
	for _, file := range []string{s.service.KeysFile, s.service.TokenFile} {
		if file != "" {
			s.Protect = append(s.Protect, file)
		}
	}
	if s.service.TokenFile != "" {
		s.Own.Private = append(s.Own.Private, s.service.TokenFile)
	}
	if s.service.URL != "" {
		s.Own.Services = append(s.Own.Services, s.service.URL)
	}
	if s.service.URL != "" && s.service.KeysFile == "" {
		s.named("no effect: an approval service needs security.approval.keys_file too, with the keys that sign its receipts")
	}
}
