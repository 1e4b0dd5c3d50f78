package eval

import (
	"testing"
)

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
