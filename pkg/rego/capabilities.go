package rego

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// removed are the built-ins that no policy may call, beside those that OPA
// itself marks as answering differently from one time to the next: the network,
// the environment, the clock and chance.
var removed = []string{
	"crypto.x509.parse_and_verify_certificates",              // compares with the clock
	"crypto.x509.parse_and_verify_certificates_with_options", // the same unless told a time
	"http.send",
	"io.jwt.decode_verify",   // compares with the clock
	"io.jwt.encode_sign",     // draws random numbers
	"io.jwt.encode_sign_raw", // draws random numbers
	"json.match_schema",      // may fetch what a schema refers to
	"json.verify_schema",     // may fetch what a schema refers to
	"net.lookup_ip_addr",
	"opa.runtime", // shows the environment
	"rand.intn",
	"time.now_ns",
	"trace",
	"uuid.rfc4122",
}

// endless are built-ins whose work no deadline ends: one call with a short
// argument takes minutes, or all memory.
var endless = []string{
	"bits.lsh",                // by as many digits as the number says
	"graph.reachable_paths",   // as many as two to the number of nodes
	"strings.render_template", // loops in loops
}

// Capabilities returns what policies may use of OPA: built-ins that compute
// from their arguments alone and end, and no host to fetch schemas from. A call of
// print compiles and does nothing. The caller owns the result.
func Capabilities() *ast.Capabilities {
	c := *ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(slices.Clone(c.Builtins), func(b *ast.Builtin) bool {
		return b.Nondeterministic || slices.Contains(removed, b.Name) || slices.Contains(endless, b.Name)
	})
	c.AllowNet = []string{}
	return &c
}
