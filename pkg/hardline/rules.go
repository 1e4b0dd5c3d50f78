package hardline

import "github.com/policyctl/policyctl/pkg/hazard"

// rules is the table of the floor. To add a family, add an entry with at least
// three lines that must match and three that look alike and must not; the
// tests check every line of it.
func rules() []hazard.Rule {
	var out []hazard.Rule
	for _, group := range [][]hazard.Rule{deletes(), takeovers(), disks(), processes(), power(), limits(), foreign()} {
		out = append(out, group...)
	}
	return out
}

// deleters are the programs that remove what they are given.
const deleters = "rm find git rsync mv shred"

func deletes() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "root-delete", Class: "delete", Programs: deleters, Match: deletesPlace(root),
			Why:     "deletes the root directory",
			Instead: "Delete the exact paths that you made, below the project directory.",
			Hit: []string{
				"rm -rf /", "rm -rf //", "rm -rf /.", "rm -rf /*", "rm -fr --no-preserve-root /", "sudo rm -r -f -- /", "cd / && rm -rf *",
				"D=/; rm -rf \"$D\"", "rm -rf /home/../", "find / -delete", "bash -c 'rm -rf /'", "rm -rf ../../../..",
				"echo / | xargs rm -rf", "find / -exec rm -rf {} +", "rsync -a --delete empty/ /", "mv /* /tmp/x", "rm --recursiv --forc /", "rm -rf \"/$(true)\"", "rm -rf /proc/self/root/", "rm -rf /proc/1/root/*",
			},
			Miss: []string{
				"rm -rf ./build", "rm -rf /tmp/x", "echo rm -rf /", "git commit -m 'rm -rf /'", "rm -rf \"$BUILD/out\"", "rm --help /",
				"grep -r 'rm -rf /' .", "rm -rf /...", "rm -rf /proc/self/rootfs", "find / -name core -print", "rsync -an --delete empty/ /", "cat <<'EOF' > x.sh\nrm -rf /\nEOF",
			},
		},
		{
			ID: "system-delete", Class: "delete", Programs: deleters, Match: deletesPlace(system),
			Why:     "deletes a directory of the system",
			Instead: "Delete the exact files below it that the task needs, or let the package manager do it.",
			Hit: []string{
				"rm -rf /etc", "rm -rf /usr/*", "rm -rf /{bin,lib}", "rm -r /???", "cd /var && rm -rf ../etc", "find /usr -type f -delete",
				"sudo rm -rf /boot/", "mv /etc /tmp", "rm -rf /usr/local/bin", "rm -rf /u*r",
			},
			Miss: []string{
				"rm -rf /usr/local/share/myapp", "rm -rf /var/tmp/x", "rm -rf /opt/app/cache", "ls /etc", "rm -rf ./etc", "rm /etc/nginx/sites-enabled/default",
				"find /usr -name '*.pyc' -delete", "mv /etc/hosts.new /etc/hosts",
			},
		},
		{
			ID: "home-delete", Class: "delete", Programs: deleters, Match: deletesPlace(home),
			Why:     "deletes a home directory",
			Instead: "Delete the exact paths that you made, below the project directory.",
			Hit: []string{
				"rm -rf ~", "rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf \"${HOME:?}\"", "rm -rf /home/dev", "rm -rf ~root", "cd && rm -rf .",
				"cd ..; rm -rf *", "rm -rf ~/.*", "find ~ -mindepth 1 -delete", "git -C ~ clean -fdx",
			},
			Miss: []string{
				"rm -rf ~/Downloads/old", "rm -rf $HOME/x", "rm -rf '~'", "HOME=/tmp/x; rm -rf $HOME/y", "rm -rf ./home", "cd build && rm -rf *",
				"find ~ -name '*.tmp' -delete", "git clean -fdx", "rm -rf /home/dev/project/dist",
			},
		},
		{
			ID: "code-delete", Class: "delete", Programs: interpreters, Match: codeDeletes,
			Why:     "makes an interpreter delete a root, a directory of the system or a home",
			Instead: "Name the exact paths below the project directory.",
			Hit: []string{
				`python3 -c 'import shutil; shutil.rmtree("/")'`, `node -e 'require("fs").rmSync("/home/dev", {recursive: true})'`,
				`perl -e 'system("rm -rf /")'`, `ruby -e 'require "fileutils"; FileUtils.rm_rf("/etc")'`, `php -r 'exec("rm -rf ~");'`,
				"python3 - <<'EOF'\nimport subprocess\nsubprocess.run([\"rm\", \"-rf\", \"/\"])\nEOF", `awk 'BEGIN{system("rm -rf /")}'`,
				`python3 -c 'import shutil,os; shutil.rmtree(os.path.expanduser("~"))'`,
			},
			Miss: []string{
				`python3 -c 'print("rm -rf /")'`, `node -e 'require("fs").rmSync("/tmp/x", {recursive: true})'`, `python3 -c 'import os; print(os.listdir("/"))'`,
				`perl -e 'system("rm -rf ./build")'`, `awk '{print "/"}' f`, `ruby -e 'puts Dir["/etc/*"]'`,
			},
		},
	}
}

func takeovers() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "recursive-mode", Class: "takeover", Programs: "chmod chown chgrp chattr setfacl", Match: altersPlace,
			Why:     "changes the mode or the owner of everything below a root or a directory of the system",
			Instead: "Change the exact files of the task.",
			Hit: []string{
				"chmod -R 777 /", "chown -R nobody /etc", "sudo chmod --recursive 000 /usr", "chattr -R +i /", "chmod -R a+rwx /*", "chmod -R 700 ~",
				"setfacl -R -m u:x:rwx /", "find / -exec chmod 777 {} +",
			},
			Miss: []string{
				"chmod -R 755 ./dist", "chown -R dev /home/dev", "chmod 755 /usr/local/bin/x", "chown -R www-data /var/www/html", "chmod +x /etc/cron.daily/x",
				"sudo chown -R $(whoami) /usr/local",
			},
		},
	}
}

func disks() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "device-write", Class: "disk", Match: writesDevice,
			Why:     "writes to a raw device",
			Instead: "Write to a file below the project directory.",
			Hit: []string{
				"dd if=/dev/zero of=/dev/sda", "echo x > /dev/sda", "cat img | tee /dev/nvme0n1", "cp img /dev/vda", ": >| /dev/mmcblk0", "cat x 1<> /dev/sdb1",
				"dd of=/dev/mapper/root if=x", "shred /dev/sdc", "truncate -s 0 /dev/md0", "cat img >/dev/disk/by-id/x", "dd if=a of=/dev/sd[ab]", "tar cf /dev/sda x", "tar -cvf /dev/sda x",
			},
			Miss: []string{
				"dd if=/dev/zero of=./disk.img bs=1M count=10", "echo x > /dev/null", "dd if=/dev/sda of=backup.img", "ls -l /dev/sda", "echo hi >/dev/stderr",
				"cat x > /dev/shm/y", "echo 'dd of=/dev/sda'", "cp notes /dev/sd-notes", "tar tf /dev/sda", "tar xzf x.tgz",
			},
		},
		{
			ID: "code-device", Class: "disk", Programs: interpreters, Match: codeWritesDevice,
			Why:     "makes an interpreter write to a raw device",
			Instead: "Write to a file below the project directory.",
			Hit: []string{
				`python3 -c 'open("/dev/sda", "wb").write(b"x")'`, `perl -e 'open(F, ">/dev/sda"); print F "x"'`,
				`node -e 'require("fs").writeFileSync("/dev/nvme0n1", "x")'`, `ruby -e 'File.write("/dev/sda", "x")'`,
			},
			Miss: []string{
				`python3 -c 'open("/dev/sda", "rb").read(1)'`, `python3 -c 'print("/dev/sda")'`, `node -e 'require("fs").writeFileSync("/tmp/sda", "x")'`,
			},
		},
		{
			ID: "make-filesystem", Class: "disk", Match: makesFilesystem,
			Programs: "mkfs mke2fs mkswap newfs mkdosfs mkntfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.minix mkfs.cramfs mkfs.jfs mkfs.reiserfs mkfs.bfs mkfs.msdos mkfs.udf mkfs.nilfs2",
			Why:      "makes a new file system over a device",
			Instead:  "Make it in an image file below the project directory.",
			Hit:      []string{"mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/nvme0n1", "sudo mke2fs -F /dev/vdb", "mkswap /dev/sdb2", "mkfs.btrfs -f /dev/sd$x", "m''kfs.ext4 /dev/sda1"},
			Miss:     []string{"mkfs.ext4 rootfs.img", "mkfs.ext4 --help", "man mkfs.ext4", "grep mkfs /var/log/syslog", "mke2fs -n /dev/sda1", "ls mkfs.ext4"},
		},
		{
			ID: "wipe-disk", Class: "disk", Match: wipesDisk,
			Programs: "wipefs blkdiscard sgdisk gdisk fdisk sfdisk cfdisk parted mdadm cryptsetup hdparm nvme badblocks",
			Why:      "wipes a device or its partition table",
			Instead:  "Work on an image file below the project directory.",
			Hit: []string{
				"wipefs -a /dev/sda", "blkdiscard /dev/nvme0n1", "sgdisk --zap-all /dev/sda", "parted -s /dev/sda mklabel gpt", "cryptsetup luksFormat /dev/sda2",
				"mdadm --zero-superblock /dev/sdb1", "sfdisk /dev/sda < table", "printf 'o\\nw\\n' | fdisk /dev/sda", "cryptsetup erase /dev/sda2",
			},
			Miss: []string{
				"wipefs /dev/sda", "wipefs -a -n /dev/sda", "parted /dev/sda print", "fdisk -l /dev/sda", "sgdisk -p /dev/sda", "cryptsetup luksFormat disk.img",
				"cryptsetup status root", "mdadm --detail /dev/md0", "sfdisk -d /dev/sda",
			},
		},
		{
			ID: "remove-volume", Class: "disk", Match: removesVolume, Programs: "lvremove vgremove pvremove zpool zfs btrfs diskutil",
			Why:     "removes a volume, a pool or a disk",
			Instead: "List it and ask the user to remove it.",
			Hit: []string{
				"lvremove -f vg0/root", "vgremove vg0", "pvremove -ff /dev/sdb", "zpool destroy tank", "zfs destroy -r tank/data", "btrfs subvolume delete /",
				"diskutil eraseDisk JHFS+ x /dev/disk2", "diskutil apfs deleteContainer disk1",
			},
			Miss: []string{
				"lvs", "zpool list", "zfs list -t snapshot", "zfs destroy -nv tank/data@old", "lvremove --test vg0/x", "diskutil list", "btrfs subvolume list /",
				"btrfs subvolume delete ./snapshots/old",
			},
		},
	}
}

func processes() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "fork-bomb", Class: "processes", Programs: interpreters, Match: codeForks,
			Why:     "starts processes without end",
			Instead: "Start a fixed number of processes and wait for them.",
			Hit: []string{
				":(){ :|:& };:", "f() { f | f & }; f", "bomb() { bomb & bomb & }; bomb", "while :; do sleep 9999 & done", "while true; do (yes &) done",
				`python3 -c 'import os
while True: os.fork()'`, `perl -e 'fork while fork'`, `perl -e 'fork while 1'`, "for (( ; ; )); do ./x & done", "function f { f|f& }; f",
			},
			Miss: []string{
				"for i in 1 2 3; do ./x & done; wait", "while true; do ./x & sleep 1; done", "while :; do ./x & wait; done", "echo ':(){ :|:& };:'",
				"f() { echo hi; }; f & f", "f() { f; }", "while read -r u; do curl \"$u\" & done < urls; wait",
			},
		},
		{
			ID: "kill-all", Class: "processes", Programs: "kill killall5 pkill killall", Match: killsAll,
			Why:     "kills every process",
			Instead: "Kill the exact process by its id.",
			Hit:     []string{"kill -9 -1", "kill -s KILL -1", "kill -KILL -- -1", "killall5 -9", "sudo kill -TERM -1", "kill -1 -1", "pkill -9 -f .", "kill -n 9 -- -1"},
			Miss:    []string{"kill -1 123", "kill -9 4242", "kill -0 1234", "kill -- -1234", "pkill -f 'node server.js'", "killall node", "kill -l", "kill -l -1"},
		},
		{
			ID: "code-kill", Class: "processes", Programs: interpreters, Match: codeKills,
			Why:     "makes an interpreter kill every process",
			Instead: "Kill the exact process by its id.",
			Hit:     []string{`python3 -c 'import os; os.kill(-1, 9)'`, `perl -e 'kill 9, -1'`, `ruby -e 'Process.kill("KILL", -1)'`},
			Miss:    []string{`python3 -c 'import os; os.kill(123, 9)'`, `perl -e 'kill 0, 123'`, `python3 -c 'print("kill -1")'`},
		},
	}
}

func power() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "power-state", Class: "power", Match: changesPower,
			Programs: "shutdown reboot halt poweroff init telinit systemctl loginctl stop-computer restart-computer rundll32 rundll32.exe osascript busctl dbus-send shutdown.exe",
			Why:      "turns the machine off or starts it anew",
			Instead:  "Restart only the service that needs it.",
			Hit: []string{
				"shutdown -h now", "sudo reboot", "halt -p", "poweroff", "init 0", "telinit 6", "systemctl --no-wall poweroff", "systemctl isolate reboot.target",
				"systemctl start poweroff.target", "loginctl reboot", "Stop-Computer -Force", "ssh host true; reboot", "/sbin/shutdown -r +1", "shutdown",
			},
			Miss: []string{
				"shutdown --help", "shutdown -c", "systemctl status reboot.target", "grep reboot /var/log/syslog", "man reboot", "./reboot-check", "ssh host reboot",
				"init 3", "reboot --help", "git commit -m 'reboot'", "docker run img reboot", "systemctl -H host reboot", "systemctl restart nginx", "npm run init",
			},
		},
		{
			ID: "sysrq", Class: "power", Match: writesSysrq,
			Why:     "makes the kernel crash or restart at once",
			Instead: "Ask the user to restart the machine.",
			Hit:     []string{"echo b > /proc/sysrq-trigger", "echo c | sudo tee /proc/sysrq-trigger", "printf o >/proc/./sysrq-trigger"},
			Miss:    []string{"cat /proc/sys/kernel/sysrq", "echo b > ./sysrq-trigger", "grep sysrq-trigger notes"},
		},
	}
}

func limits() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sudo-password", Class: "limits", Programs: "sudo", Match: guessesPassword,
			Why:     "feeds a password to sudo",
			Instead: "Ask the user to run the privileged step.",
			Hit: []string{
				"echo hunter2 | sudo -S id", "sudo -S true <<< pw", "echo x | sudo --stdin id", "echo x | sudo -kS id", "echo x | sudo --std id", "echo x | timeout 5 sudo -nS id",
				"sudo -p '' -S ls < pw.txt",
			},
			Miss: []string{"sudo -n true", "sudo -v", "sudo apt-get install -S x", "sudo -l", "echo sudo -S", "sudo -u s id"},
		},
		{
			ID: "self-protection", Class: "limits", Match: touchesLimits,
			Why:     "changes the limits under which the agent runs",
			Instead: "Ask the user to change the policy.",
			Hit:     []string{"policyctl trust", "policyctl approvals trust-verb curl", "policyctl requests approve 1", "sudo policyctl uninstall claude", "pkill policyctl", "killall -9 policyctl"},
			Miss:    []string{"policyctl eval ls", "policyctl approvals list", "policyctl stages", "grep policyctl README.md", "pgrep policyctl", "policyctl requests list"},
		},
	}
}

func foreign() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "windows", Class: "windows", Match: destroysWindows,
			Programs: "format format.com rd rmdir del erase remove-item ri diskpart vssadmin clear-disk format-volume initialize-disk",
			Why:      "destroys a Windows drive",
			Instead:  "Delete the exact files of the task.",
			Hit: []string{
				"format c:", "rd /s /q C:\\\\", "del /f /s /q 'C:\\*'", "Remove-Item -Recurse -Force C:\\\\", "rmdir /s 'D:\\'", "Format-Volume -DriveLetter C",
				"Clear-Disk -Number 0 -RemoveData", "Remove-Item -Recurse -Force 'C:\\Windows'",
			},
			Miss: []string{"rd /s /q build", "del out.txt", "Remove-Item -Recurse ./dist", "format --help", "rmdir empty", "npm run format c:"},
		},
		{
			ID: "foreign-shell", Class: "windows", Programs: "cmd cmd.exe pwsh powershell powershell.exe", Match: foreignText,
			Why:     "makes another shell do what is catastrophic",
			Instead: "Delete the exact files of the task.",
			Hit:     []string{"cmd /c 'rd /s /q C:\\'", "pwsh -Command 'Remove-Item -Recurse -Force C:\\'", "powershell -c 'Stop-Computer -Force'"},
			Miss:    []string{"pwsh -Command 'Get-ChildItem'", "cmd /c 'dir C:\\'", "powershell -c 'Write-Output hi'"},
		},
	}
}
