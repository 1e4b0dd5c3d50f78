package reviewer

import (
	"fmt"
	"slices"
	"strings"
)

// A Risk is how much harm a call can do. The zero value is none, which no verdict has.
type Risk int

// The risks.
const (
	NoRisk Risk = iota
	Low
	Medium
	High
	Critical
)

var riskNames = []string{"none", "low", "medium", "high", "critical"}

func (r Risk) String() string { return riskNames[r] }

// Risks returns the names that a ceiling may have.
func Risks() []string { return slices.Clone(riskNames[:Critical]) }

// riskOf reads the risk of a verdict.
func riskOf(name string) (Risk, error) {
	if i := slices.Index(riskNames, name); i > 0 {
		return Risk(i), nil
	}
	return Critical, fmt.Errorf("risk is %.40q, and must be one of %s", name, strings.Join(riskNames[1:], ", "))
}

// An Authorization is how clearly the user has asked for what a call does.
type Authorization int

// The authorizations.
const (
	Unknown Authorization = iota
	Vague
	Implied
	Clear
)

var authorizationNames = []string{"unknown", "low", "medium", "high"}

func (a Authorization) String() string { return authorizationNames[a] }

// authorizationOf reads the authorization of a verdict.
func authorizationOf(name string) (Authorization, error) {
	if i := slices.Index(authorizationNames, name); i >= 0 {
		return Authorization(i), nil
	}
	return Unknown, fmt.Errorf("authorization is %.40q, and must be one of %s", name, strings.Join(authorizationNames, ", "))
}
