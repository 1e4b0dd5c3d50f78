package policyctl.admission_test

import data.policyctl.admission

push(branch) := {"commands": [{
	"index": 0,
	"program": "git",
	"words": [{"text": word, "known": true} | some word in ["git", "push", "origin", branch]],
}]}

test_a_frozen_branch_is_denied if count(admission.deny) == 1 with input as push("freeze/2026-11")

test_other_branches_are_not if count(admission.deny) == 0 with input as push("main")
