package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

var autoApprovesForm = form[draft]{listOf(tableShape(autoApproveKeys, "tool")), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		a := policy.AutoApprove{Origin: d.origin(item)}
		if !whole(d, item, autoApproveKeys(), &a, "tool") {
			continue
		}
		if a.Command == nil && a.Path == nil && a.URL == nil && a.Args == nil {
			d.fail(item, "a pattern is missing here: one of command_pattern, path_pattern, url_pattern, args_pattern")
			continue
		}
		s.AutoApprove = append(s.AutoApprove, a)
		d.mention(child(item, "tool"), aTool, a.Tool, "")
	}
}}
