// Package rego is the bridge to OPA: it compiles rules to a module of Rego that
// says the same, evaluates such a module, and lets an organisation's own Rego
// take part in the chain.
//
// What it evaluates sees its input and nothing else: no network, no
// environment, no clock. An error is never an answer. The package fetches no
// policy and keeps none.
package rego
