package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// initTrace is a line of GODEBUG=inittrace=1 about a package of this module.
var initTrace = regexp.MustCompile(`(?m)^init github\.com/policyctl/policyctl/(\S+) .* (\d+) bytes, (\d+) allocs$`)

// The tool is started for every call, so no package may build its tables
// before they are needed.
func TestStartup(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"policyctl", "version"}
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	total := 0
	for _, m := range initTrace.FindAllStringSubmatch(string(out), -1) {
		allocs, _ := strconv.Atoi(m[3])
		total += allocs
		t.Logf("%s: %s bytes, %d allocations", m[1], m[2], allocs)
	}
	if total == 0 || total > 850 {
		t.Errorf("%d allocations before main, want some and at most 850", total)
	}
}
