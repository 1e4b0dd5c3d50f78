package redact_test

import (
	"fmt"

	"github.com/policyctl/policyctl/internal/support/redact"
)

func ExampleText() {
	text, found := redact.Text("curl -u ann:correct-horse https://api.example.com")
	fmt.Println(text)
	fmt.Println(len(found), "secret")
	// Output:
	// curl -u ann:[redacted basic-auth] https://api.example.com
	// 1 secret
}

func ExampleValue() {
	clean, found := redact.Value(map[string]any{"env": map[string]any{"DB_PASSWORD": "correct-horse", "DB_HOST": "db.example.com"}})
	fmt.Println(clean)
	fmt.Println(found[0].Path)
	// Output:
	// map[env:map[DB_HOST:db.example.com DB_PASSWORD:[redacted password]]]
	// /env/DB_PASSWORD
}
