package view

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Approver says who must decide, "" where anybody may.
func Approver(r *approval.Request) string {
	return policy.GroupsText(r.Groups())
}

// Askers names the rules that ask about a request, "" for one.
func Askers(r *approval.Request) string { return strings.Join(r.Asked.Rules, ", ") }

// Vote says in a line what somebody has voted.
func Vote(v *approval.Vote) string {
	text := string(v.Word)
	if v.Word == approval.ApprovedRemember {
		text += ", " + ScopeName(v.Scope)
		if v.For > 0 {
			life, _ := v.For.MarshalText() // which cannot fail
			text += " for " + string(life)
		}
	}
	text += " by " + v.By
	if v.Reason != "" {
		text += ": " + v.Reason
	}
	return text
}
