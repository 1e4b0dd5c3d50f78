package command_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// TestClauses holds each form of a clause against lines of a program whose row has it.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		does bool
		kind string
		line string
	}{
		{true, "wipes", "nvme format /dev/nvme0"},
		{false, "wipes", "nvme list"},
		{true, "wipes", "sg_format /dev/sg0"},
		{true, "wipes", "sedutil-cli --YESIREALLYwanttoeraseALLmydatausingthePSID x /dev/sda"},
		{true, "erases", "megacli -CfgClrAll"},
		{false, "erases", "megacli -x-cfgclr"},
		{true, "powers", "rundll32 user32.dll,ExitWindowsEx"},
		{false, "powers", "rundll32 user32.dll"},
		{true, "wipes", "badblocks -svw /dev/sda"},
		{false, "wipes", "badblocks -svow /dev/sda"},
		{false, "wipes", "badblocks --w /dev/sda"},
		{true, "erases", "gpart destroy ada0"},
		{false, "erases", "gpart destroy"},
		{false, "erases", "gpart show destroy"},
		{true, "powers", "init 6"},
		{false, "powers", "init 6 x"},
		{false, "powers", "init a b c 6"},
		{true, "erases", "flashrom -w x"},
		{true, "erases", "flashrom -p internal:x -E"},
		{true, "erases", "flashrom --programmer=internal -E"},
		{false, "erases", "flashrom -p ch341a_spi -E"},
		{false, "erases", "flashrom -pch341a_spi -E"},
		{true, "looks", "mkfs -n /dev/sda"},
		{true, "looks", "mkfs -t ext4 -n /dev/sda"},
		{false, "looks", "mkfs -t xfs -n /dev/sda"},
		{true, "wipes", "cryptsetup luksFormat /dev/sda"},
		{false, "wipes", "cryptsetup luksDump /dev/sda"},
		{true, "drops", "zpool destroy tank"},
		{false, "drops", "zpool destroy"},
		{true, "lands", "git clone https://x.example/y"},
		{false, "lands", "git clone https://x.example/y z"},
		{true, "strews", "gh release download v1"},
		{false, "strews", "gh release view v1"},
		{true, "wipes", "parted /dev/sda mklabel_gpt"},
		{false, "wipes", "parted /dev/sda print"},
		{false, "wipes", "true /dev/sda"},
		{true, "prints-secrets", "vault kv get x"},
		{true, "prints-secrets", "vault -address a kv get x"},
		{false, "prints-secrets", "vault kv list get"},
		{false, "prints-secrets", "vault kv get -help"},
		{true, "deletes-machines", "vboxmanage controlvm web poweroff"},
		{false, "deletes-machines", "vboxmanage controlvm poweroff"},
		{true, "deletes-cloud", "s5cmd sync --delete a b"},
		{false, "deletes-cloud", "s5cmd sync a b"},
		{true, "clears-audit", "journalctl --vacuum-time=1s"},
		{false, "clears-audit", "journalctl -u --x--vacuum"},
		{true, "changes-settings", "defaults -host h write x"},
		{true, "changes-settings", "defaults a b write"},
		{false, "changes-settings", "defaults a b c write"},
		{true, "changes-host", "hostname -v web"},
		{false, "changes-host", "hostname -I"},
		{true, "special", ":"},
		{false, "special", "true"},
	} {
		var cmd command.Command
		for w := range strings.FieldsSeq(c.line) {
			cmd.Words = append(cmd.Words, shell.Word{Set: shell.Set{Values: []string{strings.ReplaceAll(w, "_gpt", " gpt")}}})
		}
		name := cmd.Words[0].Text()
		cmd.SetName(name, command.FindName(program.Resolve(name)))
		if p := cmd.Row(); p != nil && !p.Opaque {
			cmd.Args = command.ParseArgs(p, cmd.Words)
		}
		if does := cmd.Does(c.kind); does != c.does {
			t.Errorf("%s: %s is %t", c.line, c.kind, does)
		}
	}
}

// TestActs holds that what a runner starts counts with the words behind it, and nothing of
// its own grammar.
func TestActs(t *testing.T) {
	for line, want := range map[string]bool{
		"npx -y rimraf@5 x": true, "npx rimraf": false, "rimraf x": true, "npx eslint rimraf": false, "pnpm dlx del-cli x": true, "uvx rimraf x": true, "ls rimraf x": false,
	} {
		var cmd command.Command
		for w := range strings.FieldsSeq(line) {
			cmd.Words = append(cmd.Words, shell.Word{Set: shell.Set{Values: []string{w}}})
		}
		name := cmd.Words[0].Text()
		cmd.SetName(name, command.FindName(name))
		if p := cmd.Row(); p != nil && !p.Opaque {
			cmd.Args = command.ParseArgs(p, cmd.Words)
		}
		if got := cmd.Acts("razes"); got != want {
			t.Errorf("%q: razes is %t", line, got)
		}
	}
}

// TestHandedNames holds that words are handed on to what a program can run, and not to
// what only a shell of Windows does itself.
func TestHandedNames(t *testing.T) {
	for line, want := range map[string]string{"keyring del app dev": "", "keyring rm app dev": "rm app dev", "herd rm -rf x": "rm -rf x"} {
		var cmd command.Command
		for w := range strings.FieldsSeq(line) {
			cmd.Words = append(cmd.Words, shell.Word{Set: shell.Set{Values: []string{w}}})
		}
		name := cmd.Words[0].Text()
		cmd.SetName(name, command.FindName(name))
		if got := strings.Join(cmd.Handed(), "\n"); got != want {
			t.Errorf("%q hands on %q", line, got)
		}
	}
}
