package hardline_test

import "github.com/policyctl/policyctl/pkg/own"

// OwnState is a machine with an approval service.
var OwnState = own.New(own.Place{Services: []string{"http://127.0.0.1:8765", "unix:/home/dev/.local/state/policyctl/approval/approval.sock"}})
