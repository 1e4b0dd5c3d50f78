package shell

import "testing"

// empties are variables that are known to be empty, and those near them.
var empties = []row{
	{"x=a; unset x; ls b", "x=a; unset x; ls b$x"},
	{"unset x; ls /c", "unset x; ls ${x-/c}"},
	{"x=a; unset x; ls /c", "x=a; unset x; ls ${x:-/c}"},
	{"read x </dev/null; ls {/|/?}", "read x </dev/null; ls \"/$x\""},
	{"read x </dev/null; ls {/|/?}", "read x </dev/null || ls \"/$x\""},
	{"[declare x]; ls {/|/?}", "declare x; ls \"/$x\""},
	{"x=a; [declare x]; ls /a", "x=a; declare x; ls \"/$x\""},
	{"[export HOME]; ls /home/dev", "export HOME; ls ~"},
	{"env -u x sh -c 'ls /$x'; ^sh -c 'ls /$x'; ^^ls /", "env -u x sh -c 'ls /$x'"},
	{"env -C /a ls; ^ls @/a", "env -C /a ls"},
	{"sudo -i ls; ^ls @{/root|?}", "sudo -i ls"},
	{"sudo -iu a ls; ^ls @{/home/a|?}", "sudo -iu a ls"},
	{"direnv exec /a ls; ^ls @/a", "direnv exec /a ls"},
	{"systemd-run -p WorkingDirectory=/a ls; ^ls @/a", "systemd-run -p WorkingDirectory=/a ls"},
	{"systemd-run ls; ^ls @/", "systemd-run ls"},
}

func TestKnownEmpty(t *testing.T) { testRows(t, empties) }

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
