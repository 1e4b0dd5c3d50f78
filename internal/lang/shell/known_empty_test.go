package shell

import (
	"testing"
)

func TestOtherShells(t *testing.T) {
	for _, tc := range []struct {
		read       func(string) string
		text, want string
	}{
		{FromFish, "set x /; rm -rf $x", "x=/\nrm -rf $x\n"},
		{FromFish, "for f in /*; rm $f; end", "for f in /*\ndo :\nrm $f\ndone \n"},
		{FromFish, "if test -d a; rm a; else; ls; end", "if test -d a\nthen :\nrm a\nelse :\nls\nfi \n"},
		{FromFish, "rm (ls)", "rm $(ls)\n"},
		{FromFish, "set -e X", "unset X\n"},
		{fromPower, "Get-ChildItem / | Remove-Item -Recurse", "Remove-Item /*\n"},
		{fromPower, "Get-ChildItem / -Filter *.tmp | Remove-Item", ""},
		{fromPower, "'x' | Out-File /dev/sda", "tee /dev/sda\n"},
		{fromPower, "Get-Process | Stop-Process", "kill -9 -1\n"},
		{fromPower, "Get-Process node | Stop-Process", ""},
		{fromPower, "Get-Process | Where-Object Name -eq node | Stop-Process", ""},
		{fromPower, "Start-Process rm -ArgumentList '-rf','/'", "rm -rf /\nrm -rf \"/\"\n"},
	} {
		if got := tc.read(tc.text); got != tc.want {
			t.Errorf("%s\n got %q\nwant %q", tc.text, got, tc.want)
		}
	}
}
