// Package bench compares rules with Open Policy Agent and with Cedar: the same
// rules in three languages, over the same calls. It is a module of its own, so
// that users of policyctl get none of its dependencies. It holds benchmarks
// alone and is no part of the product.
package bench
