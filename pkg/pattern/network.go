package pattern

import (
	"net/netip"

	"github.com/policyctl/policyctl/pkg/document"
)

// networks compiles one network or a list of them.
func (c *compiler) networks(n document.Node) []netip.Prefix {
	items := []document.Node{n}
	if n.Kind == document.List {
		items = n.Items
	}
	if len(items) == 0 {
		c.Fail(n, "cidr has an empty list: name a network such as 10.0.0.0/8")
	}
	var out []netip.Prefix
	for _, item := range items {
		p, ok := network(item)
		if !ok {
			c.Fail(item, "cidr takes a network such as 10.0.0.0/8, or a list of them, not %s", item.Describe())
			continue
		}
		out = append(out, p)
	}
	return out
}

// network reads a network, or an address as a network of its own.
func network(n document.Node) (netip.Prefix, bool) {
	if addr, err := netip.ParseAddr(n.Text); err == nil && addr.Zone() == "" && n.Kind == document.Text {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), true
	}
	p, err := netip.ParsePrefix(n.Text)
	if addr := p.Addr(); err == nil && addr.Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(addr.Unmap(), p.Bits()-96)
	}
	return p, err == nil && n.Kind == document.Text
}
