package policyctl.teams

hosts := {"git.example.com", "docs.example.com"}
