package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
)

func systemRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "kernel-setting", Class: "system", Programs: "sysctl",
			Why:     "changes a setting of the running kernel",
			Instead: "Read the setting with `sysctl NAME`, and ask the user to change it.",
			Match:   match(either(says("-w", "--write", "-p", "--load", "--system", "-f"), argument(func(v string) bool { return strings.Contains(v, "=") && v[0] != '-' }), argument(hasPrefix("-p", "--load=")))),
			Hit:     []string{"sysctl -w vm.max_map_count=262144", "sysctl kernel.sysrq=1", "sudo sysctl -p", "sysctl --system"},
			Miss:    []string{"sysctl -a", "sysctl vm.swappiness", "sysctl -n kern.ostype", "grep sysctl README.md"},
		},
		{
			ID: "kernel-module", Class: "system", Kind: "changes-kernel",
			Why:     "loads or removes kernel code",
			Instead: "Look at the modules with `lsmod`, and ask the user to load or remove one.",
			Match:   match(acts("changes-kernel")),
			Hit:     []string{"modprobe vboxdrv", "sudo insmod x.ko", "rmmod x", "kexec -l /boot/vmlinuz"},
			Miss:    []string{"lsmod", "modprobe -n x", "modinfo x", "kmod list", "dkms status"},
		},
		{
			ID: "mount-change", Class: "system", Kind: "changes-mounts",
			Why:     "changes what is mounted",
			Instead: "Look at what is mounted with `findmnt`, and ask the user to change it.",
			Match:   match(arguments(1), acts("changes-mounts")),
			Hit:     []string{"mount /dev/sdb1 /mnt", "umount /mnt", "mount --bind a b", "swapoff -a", "sudo mount -o remount,rw /", "losetup -f disk.img", "mount -a"},
			Miss:    []string{"mount", "mount -l", "findmnt", "losetup -a", "swapon --show", "mount -t ext4"},
		},
		{
			ID: "volume-change", Class: "system", Kind: "changes-volumes repairs",
			Why:     "shrinks, rolls back, repairs or takes apart a volume, or removes a key or a snapshot from it",
			Instead: "Look at the volume first, for example with `lsblk -f` or `fsck -n`, and ask the user to make this change.",
			Match:   match(not(dry), either(acts("changes-volumes"), both(acts("repairs"), onDevice, not(onlyChecks))), not(both(named("btrfs"), says("status")))),
			Hit: []string{"lvreduce -f -L 1G vg0/home", "zfs rollback -r tank/home@x", "zfs destroy tank/home@x", "cryptsetup luksKillSlot /dev/sda2 0", "resize2fs /dev/sda1 1M", "sudo e2fsck -y /dev/sda1", "fsck -A -y", "xfs_repair -L /dev/sda1", "btrfs check --repair /dev/sda1", "ntfsfix /dev/sda1", "dmsetup remove x",
				"lvresize -L -50G vg0/home", "wsl --unregister Ubuntu", "btrfs filesystem resize 1g /", "btrfs subvolume delete ./old", "mdadm /dev/md0 --fail /dev/sdb1"},
			Miss: []string{"lvs", "lvresize -L +10G vg0/home", "zfs list", "zfs destroy -nv tank/home@x", "cryptsetup luksDump /dev/sda2", "resize2fs -P /dev/sda1", "e2fsck -n /dev/sda1", "e2fsck -fy rootfs.img", "fsck -fn /dev/sda1", "tune2fs -l /dev/sda1", "dmsetup ls", "wsl ls", "btrfs filesystem usage /", "mdadm --detail /dev/md0"},
		},
		{
			ID: "virtual-device-write", Class: "system", Programs: "",
			Why:     "overwrites a loop device or RAM disk and the data on it",
			Instead: "Work on a copy of the image file, below the project directory.",
			Match:   writesVirtual,
			Hit:     []string{"dd if=/dev/zero of=/dev/loop0", "echo x > /dev/zram0", "mkfs.ext4 /dev/loop0", "parted -s /dev/loop0 mklabel gpt", "wipefs -a /dev/loop3", "cat a.img > /dev/loop1", "zpool create t /dev/loop0", "sudo mkswap /dev/ram0"},
			Miss:    []string{"parted /dev/loop0 print", "wipefs /dev/loop0", "wipefs -an /dev/loop0", "dd if=/dev/loop0 of=a.img", "ls -l /dev/loop0", "fdisk -l /dev/loop0", "mkfs.ext4 -n /dev/loop0", "echo x > /dev/null", "cat /dev/loop0 > a.img"},
		},
		{
			ID: "session-end", Class: "system", Kind: "ends-session",
			Why:     "ends the user's session, or puts the machine to sleep",
			Instead: "Leave the machine as it is, or ask the user to do it.",
			Match:   match(acts("ends-session")),
			Hit:     []string{"systemctl suspend", "sudo systemctl rescue", "systemctl isolate multi-user.target", "loginctl hibernate"},
			Miss:    []string{"systemctl status", "systemctl list-units", "loginctl list-sessions", "systemctl cat suspend.target"},
		},
		{
			ID: "host-identity", Class: "system", Kind: "changes-host",
			Why:     "changes the name, the clock or the locale of the machine",
			Instead: "Set it for one command only, such as TZ=UTC, or ask the user to change it.",
			Match:   match(acts("changes-host")),
			Hit:     []string{"hostname web-1", "hostnamectl set-hostname web-1", "timedatectl set-timezone UTC", "date -s '2030-01-01'", "scutil --set HostName a"},
			Miss:    []string{"hostname", "hostname -I", "hostnamectl", "date +%s", "timedatectl status", "date -d tomorrow"},
		},
		{
			ID: "account-change", Class: "system", Kind: "changes-accounts",
			Why:     "changes the accounts of the machine",
			Instead: "Ask the user to change the account.",
			Match:   match(acts("changes-accounts")),
			Hit:     []string{"useradd bob", "sudo usermod -aG docker dev", "passwd", "userdel -r bob", "echo 'a:b' | chpasswd", "visudo", "chsh -s /bin/zsh"},
			Miss:    []string{"id bob", "passwd -S", "getent passwd bob", "chage -l bob", "visudo -c", "useradd --help", "whoami"},
		},
		{
			ID: "system-package-remove", Class: "system", Kind: "removes-packages",
			Why:     "removes programs, or an environment with everything installed in it",
			Instead: "Leave the package in place, or ask the user to remove it.",
			Match:   match(acts("removes-packages")),
			Hit:     []string{"conda env remove -n a", "apt-get remove nginx", "sudo apt purge -y docker.io", "brew uninstall jq", "pacman -Rns jq", "dpkg -r jq", "apk del jq"},
			Miss:    []string{"apt-get install jq", "apt list", "brew install jq", "apt-get -s remove jq", "pacman -Qs remove", "rpm -qa", "npm uninstall jq", "conda remove numpy", "conda env list"},
		},
		{
			ID: "boot-change", Class: "system", Kind: "changes-boot",
			Why:     "changes how the machine starts",
			Instead: "Ask the user to make this change.",
			Match:   match(acts("changes-boot")),
			Hit:     []string{"sudo update-grub", "efibootmgr -o 1,2", "bootctl install", "grub-install /dev/sda", "nvram boot-args=-v"},
			Miss:    []string{"efibootmgr", "efibootmgr -v", "bootctl status", "nvram -p", "cat update-grub"},
		},
		{
			ID: "settings-store", Class: "system", Kind: "changes-settings",
			Why:     "changes settings of the system or the desktop",
			Instead: "Read the setting, and tell the user which value to set.",
			Match:   match(acts("changes-settings")),
			Hit:     []string{"reg add HKLM\\\\Software\\\\A /v b", "defaults write com.apple.finder A b", "gsettings set org.gnome.a b c", "tccutil reset All"},
			Miss:    []string{"reg query HKLM", "defaults read com.apple.finder", "gsettings get org.gnome.a b", "dconf dump /"},
		},
	}
}
