package policyctl.admission

allow := [{"id": "everything", "reason": "this machine is for experiments"}]
