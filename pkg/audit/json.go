package audit

import "github.com/policyctl/policyctl/pkg/strictjson"

// maxDepth bounds how deep JSON nests. It is less than internal/support/redact looks into.
const maxDepth = 250

// decode reads one JSON value. Numbers keep their spelling.
func decode(data []byte) (any, error) {
	return strictjson.Value(data, strictjson.Options{Depth: maxDepth})
}
