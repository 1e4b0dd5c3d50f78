package sensitive

// systemSecrets are what the system and the desktop keep for their services
// and for the users: keys of networks, tickets, mail, schedules.
var systemSecrets = []Entry{
	{
		ID: "kerberos", Role: Secret, Why: "holds Kerberos tickets or keys",
		Patterns: []string{"krb5cc_*", "/run/user/*/krb5cc/**", "~/.cache/krb5cc*", "*.ccache", "/var/lib/krb5kdc/**", "/var/kerberos/**", "/var/lib/sss/**", "/etc/sssd/**"},
		Hit:      []string{"/tmp/krb5cc_1000", "/run/user/1000/krb5cc", "/var/lib/sss/db/cache_corp.ldb"},
		Miss:     []string{"/etc/krb5.conf", "/home/dev/project/krb5cc.go", "/var/lib/dpkg/status"},
	},
	{
		ID: "network-secret", Role: Secret | Trigger, Why: "holds the passwords or keys of a network",
		Patterns: []string{"/etc/NetworkManager/system-connections/**", "/run/NetworkManager/system-connections/**", "/etc/netplan/**", "/etc/wpa_supplicant/**", "wpa_supplicant.conf", "/var/lib/iwd/**", "/etc/hostapd/**", "wg*.conf", "/etc/ipsec.secrets", "/etc/ipsec.d/**", "/etc/swanctl/**", "/etc/strongswan/**",
			"/etc/ppp/chap-secrets", "/etc/ppp/pap-secrets", "/etc/vpnc/**", "/var/lib/tailscale/**", "/var/lib/zerotier-one/**", "~/.vnc/**", "~/.config/tigervnc/**"},
		Hit:  []string{"/etc/NetworkManager/system-connections/office.nmconnection", "/etc/wpa_supplicant.conf", "/etc/ipsec.secrets", "vpn/wg0.conf"},
		Miss: []string{"/etc/NetworkManager/NetworkManager.conf", "/etc/resolv.conf", "/home/dev/project/wg.go"},
	},
	{
		ID: "tunnel-token", Role: Secret, Why: "holds the token of a tunnel or of a delivery service",
		Patterns: []string{"~/.cloudflared/**", "/etc/cloudflared/**", "ngrok.yml", "~/.config/ngrok/**", "~/.ngrok2/**", "~/Library/Application Support/ngrok/**", "~/.config/argocd/**", "~/.argocd/**"},
		Hit:      []string{"/home/dev/.cloudflared/cert.pem", "/home/dev/.config/ngrok/ngrok.yml", "/home/dev/.config/argocd/config"},
		Miss:     []string{"/home/dev/project/src/ngrok.ts", "/home/dev/project/argocd/app.yaml", "/usr/local/bin/cloudflared"},
	},
	{
		ID: "terminal", Role: Secret, Why: "is a terminal, or what another process reads, writes or holds in memory",
		Patterns: []string{"/dev/pts/*", "/dev/tty*", "/dev/vcs*", "/dev/console", "/dev/uinput", "/dev/input/*", "/dev/ttys*", "/proc/*/fd/*", "/proc/*/task/*/fd/*", "/proc/*/mem", "/proc/*/task/*/mem"},
		Except:   []string{"/dev/pts/ptmx", "/dev/tty", "/dev/ttyUSB*", "/dev/ttyACM*", "/dev/ttyAMA*", "/dev/tty.usb*", "/proc/self/fd/*", "/proc/thread-self/fd/*"},
		Hit:      []string{"/dev/pts/3", "/dev/tty2", "/dev/vcsa1", "/proc/12/fd/0", "/proc/12/mem", "/dev/ttys003"},
		Miss:     []string{"/dev/tty", "/dev/ttyUSB0", "/dev/null", "/proc/self/fd/1", "/proc/12/status", "/dev/pts", "/home/dev/project/dev/pts/3"},
	},
	{
		ID: "display-cookie", Role: Secret, Why: "lets its reader into the user's desktop",
		Patterns: []string{".Xauthority", ".Xauthority-*", ".ICEauthority", "/run/user/*/gdm/**", "/run/user/*/ICEauthority", "/run/user/*/.mutter-Xwaylandauth.*", "/run/user/*/xauth_*", "/run/lightdm/**", "/run/sddm/**", "~/.config/pulse/cookie", ".pulse-cookie", "~/.android/adbkey"},
		Hit:      []string{"/home/dev/.Xauthority", "/run/user/1000/gdm/Xauthority", "/home/dev/.ICEauthority"},
		Miss:     []string{"/home/dev/project/xauthority.c", "/run/user/1000/bus", "/home/dev/.Xresources"},
	},
	{
		ID: "mail", Role: Secret, Why: "holds a user's mail, or the password of a mailbox",
		Patterns: []string{"/var/mail/**", "/var/spool/mail/**", "~/Maildir/cur/**", "~/Maildir/new/**", "~/.maildir/**", "Mail/inbox", "mbox", "~/Library/Mail/**", "~/.thunderbird/**", "~/snap/thunderbird/**", "~/Library/Thunderbird/**", "AppData/Roaming/Thunderbird/**", "AppData/Local/Microsoft/Outlook/**", "*.pst",
			"~/.muttrc", "~/.mutt/**", "~/.config/mutt/**", "~/.config/neomutt/**", ".mbsyncrc", ".offlineimaprc", ".getmailrc", "~/.getmail/**", ".msmtprc", "~/.config/msmtp/**", ".fetchmailrc", "~/.config/aerc/accounts.conf", "~/.config/himalaya/**",
			"~/.local/share/evolution/**", "~/.config/evolution/**", "~/.local/share/geary/**", "~/.claws-mail/**", "/etc/postfix/sasl_passwd", "/etc/postfix/sasl_passwd.db", "/etc/exim4/passwd.client"},
		Hit:  []string{"/var/mail/ann", "/home/dev/Maildir/cur/1", "/home/dev/.thunderbird/x/prefs.js", "/home/dev/.mbsyncrc"},
		Miss: []string{"/home/dev/project/src/mail/inbox.go", "/home/dev/project/.mailmap", "/etc/postfix/main.cf"},
	},
	{
		ID: "user-crontab", Role: Secret | Trigger, Why: "is a user's schedule, which nobody else may read",
		Patterns: []string{"/var/spool/cron/**", "/var/spool/at/**", "/var/at/**", "/usr/lib/cron/tabs/**"},
		Hit:      []string{"/var/spool/cron/crontabs/ann", "/var/spool/cron/root", "/var/at/tabs/ann"},
		Miss:     []string{"/etc/crontab", "/etc/cron.d/backup", "/home/dev/project/cron/crontab"},
	},
	{
		ID: "service-credentials", Role: Secret, Why: "holds the credentials of the machine or its services",
		Patterns: []string{"/etc/samba/smbpasswd", "/var/lib/samba/private/**", "/etc/ceph/*.keyring", "/boot/grub/user.cfg", "/boot/grub2/user.cfg", "~/.purple/accounts.xml", "/etc/credstore/**", "/etc/credstore.encrypted/**", "/run/credentials/**", "/var/lib/systemd/credential.secret", "/var/lib/cloud/**", "/windows/panther/**"},
		Hit:      []string{"/run/credentials/app.service/token", "/etc/credstore/db", "/var/lib/cloud/instance/user-data.txt"},
		Miss:     []string{"/run/user/1000/bus", "/etc/cloud.conf", "/var/lib/systemd/random-seed"},
	},
}
