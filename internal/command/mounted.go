package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// someDevice stands for the device that holds a file system of this machine.
const someDevice = "/dev/sda1"

// DeviceOutput returns what a program prints that names the devices of this
// machine, with one of them in the place of all.
func DeviceOutput(c *Command) shell.Set {
	out := shell.Set{Open: true}
	if c.Context != program.Local {
		return out
	}
	columns := ""
	for i := range c.Words[1:] {
		v, _ := c.Words[i+1].Literal()
		columns += " " + v
	}
	switch c.How("devices") {
	case "mounted":
		if strings.Contains(strings.ToUpper(columns), "SOURCE") && strings.Contains(columns, "n") {
			out.Values = []string{someDevice + "\n"}
		}
	case "space":
		out.Values = []string{"Filesystem 1K-blocks Used Available Use% Mounted\n" + someDevice + " 2 1 1 50% /\n"}
		if strings.Contains(columns, "output=source") {
			out.Values = []string{"Filesystem\n" + someDevice + "\n"}
		}
	case "attached":
		if columns == "" {
			out.Values = []string{someDevice + " on / type ext4 (rw)\n"}
		}
	case "blocks":
		if strings.Contains(columns, "PATH") || strings.Contains(columns, " -p") || strings.Contains(columns, "NAME") && strings.Contains(columns, "p") {
			out.Values = []string{"/dev/sda\n"}
		}
	}
	return out
}
