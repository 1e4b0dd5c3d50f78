package sensitive_test

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/sensitive"
)

func ExampleFindRole() {
	e, ok := sensitive.FindRole("/home/dev/.ssh/id_rsa", "/home/dev", sensitive.Secret|sensitive.Trigger)
	fmt.Println(ok, e.ID, e.Role, e.Why)
	// Output: true ssh-key secret holds SSH keys
}

func ExampleMayFind() {
	for _, pattern := range []string{"/home/dev/project/.e*", "/home/dev/project/**", "/home/dev/**"} {
		_, ok := sensitive.MayFind(pattern, "/home/dev", sensitive.Secret)
		fmt.Println(pattern, ok)
	}
	// Output:
	// /home/dev/project/.e* true
	// /home/dev/project/** false
	// /home/dev/** true
}
