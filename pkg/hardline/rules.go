package hardline

import (
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

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

// deleters are the programs that remove what they are given, by their operands
// or otherwise.
func deleters() string {
	return program.Names(program.Deletes) + " " + program.Names(program.Overwrites) + " " + program.Names(program.IsRunner) + " " + program.Names(program.DeletesRest) +
		" " + program.NamesOf("writes-over", "deletes0", "deletes1", "deletes2", "packs-away", "seeks") + " " + program.Names(program.Finds)
}

func deletes() []hazard.Rule {
	deleters := deleters()
	return []hazard.Rule{
		{
			ID: "root-delete", Class: "delete", Programs: deleters, Match: deletesPlace(root),
			Why:     "deletes the root directory",
			Instead: "Delete only the paths you created, by name, below the project directory.",
			Hit: []string{
				"npx del-cli@5 -f '/**'", "npx --package=del-cli del -f '/**'",
				"rm -rf /", "rm -rf //", "rm -rf /.", "rm -rf /*", "rm -fr --no-preserve-root /", "sudo rm -r -f -- /", "cd / && rm -rf *",
				"D=/; rm -rf \"$D\"", "rm -rf /home/../", "find / -delete", "gfind / -delete", `find / \( -name x -o -type f \) -delete`, "find / -name x -prune -o -delete", "find / -name '*.*' -delete", "find / -print -name x | xargs rm -rf", "bash -c 'rm -rf /'", "rm -rf ../../../..",
				"echo / | xargs rm -rf", "find / -exec rm -rf {} +", "rsync -a --delete empty/ /", "mv /* /tmp/x", "rm --recursiv --forc /", "rm -rf \"/$(true)\"", "rm -rf /proc/self/root/", "rm -rf /proc/1/root/*",
				"tar cf /tmp/x.tar --remove-files /", "rsync -a --remove-source-files / /tmp/x", "srm -rf /", "npx rimraf /", "fd . / -x rm -rf", "fd . / -x rimraf",
				"fd . / -x truncate -s 0", "ls -d /* | xargs rm -rf",
				"cd / && ls | xargs rm -rf", "rm -rf /!(tmp)", "GIT_WORK_TREE=/ git clean -fdx",
				"declare -x GIT_WORK_TREE=/; git clean -fdx", "rm -rf C:/", "rm -rf /cygdrive/c", "ssh localhost rm -rf /",
				"echo 'rm -rf /' > x.sh; sh x.sh", "echo /* | xargs rm -rf", "a=(rm -rf); a+=(/); \"${a[@]}\"", "docker run -v /:/h -w /h alpine rm -rf etc /h", "docker run -v /:/h --entrypoint rm alpine -rf /h", "$(which rm) -rf /", "gzip -r /", "cp /bin/rm z; ./z -rf /", "ssh -p 22 localhost rm -rf /", "tmpwatch 0 /", "(cd / && ls) | xargs -I{} rm -rf /{}", "du -d1 / | cut -f2 | xargs rm -rf", "{ echo cd /; echo 'rm -rf *'; } | sh", "fd --base-directory / -x rm -rf", "restic restore latest --target / --delete", "aws s3 sync s3://empty / --delete",
			},
			Miss: []string{
				"rm -rf ./build", "rm -rf /tmp/x", "echo rm -rf /", "git commit -m 'rm -rf /'", "rm -rf \"$BUILD/out\"", "rm --help /",
				"grep -r 'rm -rf /' .", "rm -rf /...", "rm -rf /proc/self/rootfs", "find / -name core -print", "rsync -an --delete empty/ /", "cat <<'EOF' > x.sh\nrm -rf /\nEOF",
				"tar cf /tmp/x.tar --remove-files build", "npx rimraf dist", "fd -e tmp -x rm", "ls build | xargs rm -rf", "rm -rf build/!(keep)", "rm -rf C:", "ssh -p 2222 localhost rm -rf /",
				"bash -n -c 'rm -rf /'", `find / \( -name '*.pyc' -o -name '*.pyo' \) -delete`, `find / -path /proc -prune -o -name core -exec rm {} \;`, "find / -type f ! -path '/proc/*' -name core -delete", "echo 'rm -rf /' > x.sh; bash -n x.sh", "echo 'rm -rf /' | sed 's/^/# /' | sh", "docker run -v /data:/h alpine chroot /h rm -rf /", "gzip -r logs", "cp /bin/rm z; ./z -rf build", "tmpreaper --test 1s /", "(cd / && ls) | xargs -I{} rm -rf build/{}", "du -d1 / | cut -f1 | xargs rm -rf", "fd --base-directory / -e pyc -x rm", "restic restore latest --target / --delete --dry-run", "aws s3 sync / s3://backup --delete",
			},
		},
		{
			ID: "system-delete", Class: "delete", Programs: deleters, Match: deletesPlace(system),
			Why:     "deletes a system directory",
			Instead: "Delete only the files that the task requires, by name, or use the package manager.",
			Hit: []string{
				"rm -rf /etc", "rm -rf /usr/*", "rm -rf /{bin,lib}", "rm -r /???", "cd /var && rm -rf ../etc", "find /usr -type f -delete",
				"sudo rm -rf /boot/", "mv /etc /tmp", "find / -maxdepth 1 \\( -name usr -o -name etc \\) -exec rm -rf {} +", "find /usr -name bin -exec rm -rf {} +", "rm -rf /usr/local/bin", "rm -rf /u*r",
				"truncate -s 0 /etc/*", "zip -rm /tmp/x.zip /etc", "find /etc -type f -exec cp /dev/null {} \\;", "find /usr -exec unlink {} \\;", "rm -rf /mnt/c/Windows",
			},
			Miss: []string{
				"rm -rf /usr/local/share/myapp", "rm -rf /var/tmp/x", "rm -rf /opt/app/cache", "ls /etc", "rm -rf ./etc", "rm /etc/nginx/sites-enabled/default",
				"find /usr -name '*.pyc' -delete", "find / -name etc -prune -o -name '*.pyc' -exec rm -rf {} +", "mv /etc/hosts.new /etc/hosts", "truncate -s 0 /var/log/app/app.log", "zip -r /tmp/x.zip /etc",
			},
		},
		{
			ID: "home-delete", Class: "delete", Programs: deleters, Match: deletesPlace(home),
			Why:     "deletes a home directory",
			Instead: "Delete only the paths you created, by name, below the project directory.",
			Hit: []string{
				"rm -rf ~", "rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf \"${HOME:?}\"", "rm -rf /home/dev", "rm -rf ~root", "cd && rm -rf .",
				"cd ..; rm -rf *", "rm -rf ~/.*", "find ~ -mindepth 1 -delete", "git -C ~ clean -fdx",
				"rm -rf /home/$USER", "rm -rf \"/home/$(whoami)\"", "gio trash ~", "tar czf /tmp/h.tgz --remove-files ~", "cd ~ && ls -A | xargs rm -rf", "ssh localhost 'rm -rf ~'", "rm -rf \"$(getent passwd dev | cut -d: -f6)\"", "rm -rf \"$(sh -c 'echo ~')\"", "rm -rf /USERS/dev", "gsutil -m rsync -d gs://empty ~", "python3 -m venv --clear ~",
			},
			Miss: []string{
				"rm -rf ~/Downloads/old", "rm -rf $HOME/x", "rm -rf '~'", "HOME=/tmp/x; rm -rf $HOME/y", "rm -rf ./home", "cd build && rm -rf *",
				"find ~ -name '*.tmp' -delete", `find ~ \( -name '*.o' -o -name '*.a' \) -delete`, "rclone purge -n ~", "git clean -fdx", "rm -rf /home/dev/project/dist", "rm -rf /home/$USER/tmp", "gio trash ~/old", "ssh localhost 'rm -rf ~/x'", "ssh h 'rm -rf ~'", "rm -rf \"$(getent passwd dev | cut -d: -f6)/x\"", "rm -rf /USERS/dev/x", "cd ~ && ls *.bak | xargs rm", "gsutil rsync -d -r ~ gs://b", "python3 -m venv --clear .venv",
			},
		},
		{
			ID: "user-delete", Class: "delete", Kind: "deletes-users", Match: deletesUser,
			Why:     "deletes the current user or root, including the home directory",
			Instead: "Ask the user to do it.",
			Hit:     []string{"sudo userdel -r dev", "userdel -rf root", "sudo deluser --remove-home dev", "sudo userdel --remove \"$USER\"", "sudo sysadminctl -deleteUser dev"},
			Miss:    []string{"sudo userdel -r ci", "userdel dev-old", "sudo deluser dev docker", "sysadminctl -addUser dev"},
		},
		{
			ID: "empty-found", Class: "delete", Match: emptiesFound,
			Why:     "empties every file of a root, system or home directory",
			Instead: "Name the exact files below the project directory.",
			Hit: []string{
				`find / -type f -exec sh -c ': > "$1"' _ {} \;`, `find /etc -type f -exec sh -c 'echo > "$1"' x {} \;`, `find ~ -exec bash -c 'cat /dev/null > "$0"' {} \;`,
			},
			Miss: []string{
				`find . -type f -exec sh -c ': > "$1"' _ {} \;`, `find / -name '*.log' -exec sh -c ': > "$1"' _ {} \;`, `find / -type f -exec sh -c 'echo "$1" >> found.txt' _ {} \;`,
			},
		},
		{
			ID: "code-delete", Class: "delete", Programs: program.Names(program.EvaluatesUnder), Match: codeDeletes,
			Why:     "makes an interpreter delete a root, system or home directory",
			Instead: "Name the exact paths below the project directory.",
			Hit: []string{
				`python3 -c 'import shutil; shutil.rmtree("/")'`, `node -e 'require("fs").rmSync("/home/dev", {recursive: true})'`,
				`perl -e 'system("rm -rf /")'`, `ruby -e 'require "fileutils"; FileUtils.rm_rf("/etc")'`, `php -r 'exec("rm -rf ~");'`,
				"python3 - <<'EOF'\nimport subprocess\nsubprocess.run([\"rm\", \"-rf\", \"/\"])\nEOF", `awk 'BEGIN{system("rm -rf /")}'`,
				`python3 -c 'import shutil,os; shutil.rmtree(os.path.expanduser("~"))'`,
				`ruby -rfileutils -e 'FileUtils.chmod_R 0777, "/"'`, `python3 -c 'import os, shutil; shutil.rmtree(os.environ.get("NOPE", "/"))'`,
				`node -e 'require("rimraf")("/", () => {})'`,
				`python3 -c 'import os; os.rename("/etc", "/tmp/e")'`, "perl -e '`rm -rf /`'", `ruby -e '%x(rm -rf /)'`, `awk 'BEGIN { "rm -rf /" | getline }'`, `sed 's/x/rm -rf \//e' f`,
				`python3 -c 'from shutil import rmtree as r; r("/" + "etc")'`, `node -pe 'require("child_process").execSync(atob("cm0gLXJmIC8="))'`, `perl -we 'system(q{rm -rf /})'`, `perl -lne 'system("rm -rf /")' f`,
				"python3 -c 'import os, shutil\nfor d in os.listdir(\"/\"):\n    shutil.rmtree(\"/\" + d)'", "echo 'rm -rf /' | awk '{system($0)}'", "find / -exec perl -e 'unlink @ARGV' {} +", "awk '{ system(\"rm -rf \" $0) }' <<< /", "echo 'rm -rf /' | sed e", "awk 'BEGIN { printf \"rm -rf %s\", \"/\" | \"sh\" }'", "bin/rails runner 'FileUtils.rm_rf(\"/\")'", "python3 -c 'import subprocess; subprocess.run(\"rm -rf $X\", shell=True, env={\"X\": \"/\"})'",
			},
			Miss: []string{
				`python3 -c 'print("rm -rf /")'`, `node -e 'require("fs").rmSync("/tmp/x", {recursive: true})'`, `python3 -c 'import os; print(os.listdir("/"))'`,
				`perl -e 'system("rm -rf ./build")'`, `awk '{print "/"}' f`, `ruby -e 'puts Dir["/etc/*"]'`,
				`node -e 'app.delete("/", handler)'`, `python3 -c 'l = ["/"]; l.remove("/")'`, `python3 -c 'import os; os.rename("a", "b")'`,
				`python3 -c 'import subprocess; subprocess.run(["policyctl", "eval", "rm -rf /"])'`, `node -e 'console.log({exec: "rm -rf /"})'`, `python3 -c 'import os; [print(d) for d in os.listdir("/")]'`,
				"python3 -c 'import os\nfor r, d, fs in os.walk(\"/\"):\n    for f in fs:\n        if f.endswith(\".pyc\"): os.remove(r + f)'", "rails runner 'puts User.count'", "python3 -c 'import subprocess; subprocess.run(\"rm -rf $X\", shell=True, env={\"X\": \"build\"})'",
			},
		},
	}
}

func takeovers() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "recursive-mode", Class: "takeover", Programs: program.NamesOf("alters"), Match: altersPlace,
			Why:     "changes the mode or owner of everything below a root or system directory",
			Instead: "Change only the files that the task requires, by name.",
			Hit: []string{
				"chmod -R 777 /", "chown -R nobody /etc", "sudo chmod --recursive 000 /usr", "chattr -R +i /", "chmod -R a+rwx /*", "chmod -R 700 ~",
				"setfacl -R -m u:x:rwx /", "find / -exec chmod 777 {} +", "chflags -R schg /System", "chmod -RN /", "chattr -R -i /etc", "find / -print0 | xargs -0 chmod 777", "find / | parallel chown nobody", "chmod 000 /", "chmod -x /bin/*", "chmod -R a+w ~", "chmod -R u-w ~", "chmod -R u=r ~", "chmod -R u+s ~", "chmod -R -x u+w ~", "chmod -R u+w /etc", "chcon -R -t tmp_t /",
			},
			Miss: []string{
				"chmod -R 755 ./dist", "chown -R dev /home/dev", "chmod 755 /usr/local/bin/x", "chown -R www-data /var/www/html", "chmod +x /etc/cron.daily/x",
				"sudo chown -R $(whoami) /usr/local", "chflags -R nouchg build", "chmod -R u+w ~", "chmod -R +x ~", "chmod -R u=rwX,go-w ~", "find ~ -exec chmod +x {} +", "find . -print0 | xargs -0 chmod 644",
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
				"somegen --output /dev/sda", "gcc -o/dev/sda x.c", "git -C /dev archive -o sda HEAD", "tar xf x.tar -C /dev sda", "ln -s /dev/sda y; tee y < x", "ln /dev/sda y; tee y < x", "vim -c 'w! /dev/sda' -c q x", "printf 'w /dev/sda\\n' | ed x", "sqlite3 x.db <<< '.output /dev/sda'", "psql -c \"copy t to '/dev/sda'\"", "ffmpeg -i x.mp4 -f rawvideo /dev/sda", "gdd if=x of=/dev/sda", "echo x > /dev/ubuntu-vg/root", "echo x > /dev/zvol/tank/x", "echo x > /dev/mtdblock0", "dd if=x of='\\\\.\\PhysicalDrive0'", "aws s3 cp s3://b/k /dev/sda", "systemd-run -p StandardOutput=file:/dev/sda echo x", "losetup /dev/loop0 /dev/sda; dd if=/dev/zero of=/dev/loop0", "gcc -MD -MF/dev/sda x.c",
			},
			Miss: []string{
				"dd if=/dev/zero of=./disk.img bs=1M count=10", "echo x > /dev/null", "dd if=/dev/sda of=backup.img", "ls -l /dev/sda", "echo hi >/dev/stderr",
				"cat x > /dev/shm/y", "echo 'dd of=/dev/sda'", "cp notes /dev/sd-notes", "tar tf /dev/sda", "tar xzf x.tgz", "echo x > /dev/fd/1", "dd if=x of=/dev/loop0", "echo x > /dev/zram0", "cp x /dev/ram1", "ed x <<< $'a\nw /dev/sda\n.\nw'", "sqlite3 x.db \"insert into t values ('.output /dev/sda')\"", "psql -c \"copy t from '/dev/sda'\"", "ffmpeg -i /dev/video0 x.mp4", "split -b 10 /dev/sda", "ln -s /dev/sda y; rm y", "echo AT > /dev/ttyUSB0", "aws s3 cp /dev/sda s3://b/k", "systemd-run -p StandardOutput=file:x.log echo x", "losetup /dev/loop0 disk.img; dd if=/dev/zero of=/dev/loop0",
			},
		},
		{
			ID: "tool-device", Class: "disk", Programs: toolNames(), Match: toolWritesDevice,
			Why:     "writes to a raw device",
			Instead: "Write to a file below the project directory.",
			Hit: []string{
				"dcfldd if=/dev/zero of=/dev/sda", "ddrescue -f x.img /dev/sda x.map", "qemu-img convert -O raw x.qcow2 /dev/sdb", "nwipe /dev/sda",
				"scrub -p dod /dev/sdb", "rpi-imager --cli os.img /dev/mmcblk0", "socat -u STDIN OPEN:/dev/sda", "fio --rw=write --filename=/dev/nvme0n1 --name=t", "wodim dev=/dev/sda x.iso", "growisofs -Z /dev/sda=x.iso",
			},
			Miss: []string{
				"ddrescue /dev/sda rescue.img rescue.map", "qemu-img convert /dev/sda disk.qcow2", "pv /dev/sda", "dcfldd if=/dev/sda of=disk.img", "scrub notes.txt",
				"fio --rw=read --filename=/dev/nvme0n1 --name=t", "partclone.ext4 -c -s /dev/sda1 -o sda1.img", "qemu-img info /dev/sda", "wodim dev=/dev/sr0 x.iso", "growisofs -Z /dev/sr0=x.iso",
			},
		},
		{
			ID: "code-device", Class: "disk", Programs: program.Names(program.EvaluatesUnder) + " " + program.Names(program.IsRough), Match: codeWritesDevice,
			Why:     "makes an interpreter write to a raw device",
			Instead: "Write to a file below the project directory.",
			Hit: []string{
				`python3 -c 'open("/dev/sda", "wb").write(b"x")'`, `perl -e 'open(F, ">/dev/sda"); print F "x"'`,
				`node -e 'require("fs").writeFileSync("/dev/nvme0n1", "x")'`, `ruby -e 'File.write("/dev/sda", "x")'`,
				`python3 -c 'import os; os.open("/dev/sda", os.O_WRONLY)'`, "sed -n 'w /dev/sda' f", "julia -e 'write(\"/dev/sda\", \"x\")'",
			},
			Miss: []string{
				`python3 -c 'open("/dev/sda", "rb").read(1)'`, `python3 -c 'print("/dev/sda")'`, `node -e 'require("fs").writeFileSync("/tmp/sda", "x")'`, "julia -e 'write(\"x.txt\", \"/dev/sda\")'",
			},
		},
		{
			ID: "make-filesystem", Class: "disk", Match: makesFilesystem,
			Programs: program.NamesOf("formats"),
			Why:      "formats a device",
			Instead:  "Make the file system in an image file below the project directory.",
			Hit: []string{"lsblk -dno NAME | cat | xargs mkfs.ext4",
				"mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/nvme0n1", "sudo mke2fs -F /dev/vdb", "mkswap /dev/sdb2", "mkfs.btrfs -f /dev/sd$x", "m''kfs.ext4 /dev/sda1",
				"mkfs -V -t ext4 /dev/sda1", "mkfs.xfs -n size=8192 /dev/sda", "newfs_apfs disk0s2", "bcachefs format /dev/sdb", "pvcreate /dev/sdb1", "zpool create tank /dev/sdb", "xfs_mdrestore img /dev/sda1", "bcwipe -p /dev/sda"},
			Miss: []string{"mkfs.ext4 rootfs.img", "mkfs.ext4 --help", "man mkfs.ext4", "grep mkfs /var/log/syslog", "mke2fs -n /dev/sda1", "ls mkfs.ext4",
				"mkfs.xfs -N /dev/sda1", "zpool create -n tank /dev/sdb", "pvcreate --test /dev/sdb1", "mkfs.ntfs --no-action /dev/sda1", "mkfs.ext4 /dev/loop0", "bcachefs show-super /dev/sdb"},
		},
		{
			ID: "wipe-disk", Class: "disk", Match: wipesDisk,
			Programs: program.NamesOf("wipes", "erases"),
			Why:      "wipes a device or its partition table",
			Instead:  "Work on an image file below the project directory.",
			Hit: []string{
				"wipefs -a /dev/sda", "blkdiscard /dev/nvme0n1", "sgdisk --zap-all /dev/sda", "parted -s /dev/sda mklabel gpt", "cryptsetup luksFormat /dev/sda2",
				"mdadm --zero-superblock /dev/sdb1", "sfdisk /dev/sda < table", "printf 'o\\nw\\n' | fdisk /dev/sda", "cryptsetup erase /dev/sda2",
				"parted -s /dev/sda 'mklabel gpt'", "sgdisk -l gpt.bak /dev/sda", "badblocks -vws /dev/sdb", "sg_format --format /dev/sda", "gpart destroy -F ada0", "nvme delete-ns /dev/nvme0n1", "flashrom -p internal -E", "flashrom -E", "mtd -r erase firmware", "asr restore --source x.dmg --target / --erase", "storcli /c0 /vall delete force", "sedutil-cli --revertTPer x /dev/sda", "wbadmin delete catalog", "nwipe --autonuke", "hdparm --sanitize-block-erase /dev/sda", "nvram -c",
			},
			Miss: []string{
				"flashrom -p ch341a_spi -w x.bin", "mtd verify x.bin firmware", "wipefs /dev/sda", "wipefs -a -n /dev/sda", "parted /dev/sda print", "fdisk -l /dev/sda", "sgdisk -p /dev/sda", "cryptsetup luksFormat disk.img",
				"cryptsetup status root", "mdadm --detail /dev/md0", "sfdisk -d /dev/sda", "sfdisk --no-act /dev/sda < table", "sgdisk --pretend -Z /dev/sda", "wipefs -a /dev/loop0", "badblocks -sv -o sw.txt /dev/sdb", "gpart show ada0", "nvme smart-log /dev/nvme0n1", "flashrom -p internal -r bios.bin", "flashrom -p ch341a_spi -w bios.bin", "storcli /c0 show", "sedutil-cli --scan", "hdparm -I /dev/sda", "nvram -p",
			},
		},
		{
			ID: "remove-volume", Class: "disk", Match: removesVolume, Programs: program.NamesOf("drops"),
			Why:     "removes a volume, a pool or a disk",
			Instead: "List it and ask the user to remove it.",
			Hit: []string{
				"lvremove -f vg0/root", "vgremove vg0", "pvremove -ff /dev/sdb", "zpool destroy tank", "zfs destroy -r tank/data", "zfs destroy tank/data@%", "zfs destroy -R tank/data@old", "zfs destroy -r \"tank/$x\"", "zfs list -H -o name | xargs -n1 zfs destroy", "btrfs subvolume delete /",
				"diskutil eraseDisk JHFS+ x /dev/disk2", "diskutil apfs deleteContainer disk1", "diskutil ERASEVOLUME free none disk0s1", "diskutil cs delete X", "btrfs sub del /home",
			},
			Miss: []string{
				"lvs", "zpool list", "zfs list -t snapshot", "zfs destroy -nv tank/data@old", "zfs destroy -r tank/data@old", "zfs destroy tank/data@a%b", "zfs list -H -o name -t snapshot | xargs -n1 zfs destroy", "lvremove --test vg0/x", "diskutil list", "btrfs subvolume list /",
				"btrfs subvolume delete ./snapshots/old",
			},
		},
	}
}

func processes() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "fork-bomb", Class: "processes", Programs: program.Names(program.EvaluatesUnder) + " " + program.Names(program.IsRough), Match: codeForks,
			Why:     "starts processes endlessly",
			Instead: "Start a fixed number of processes and wait for them.",
			Hit: []string{
				":(){ :|:& };:", "f() { f | f & }; f", "bomb() { bomb & bomb & }; bomb", "while :; do sleep 9999 & done", "while true; do (yes &) done",
				`python3 -c 'import os
while True: os.fork()'`, `perl -e 'fork while fork'`, `perl -e 'fork while 1'`, `php -r 'while(1) pcntl_fork();'`, `ruby -e 'while true; fork; end'`,
				"python3 -c 'import os, itertools\nfor i in itertools.count():\n    os.fork()'", "for (( ; ; )); do ./x & done", "echo '$0 & $0 &' > x; sh x", "function f { f|f& }; f",
			},
			Miss: []string{
				"for i in 1 2 3; do ./x & done; wait", "while true; do ./x & sleep 1; done", "perl -e 'for (1..3) { fork or exit }'", "while :; do ./x & wait; done", "echo ':(){ :|:& };:'",
				"f() { echo hi; }; f & f", "f() { f; }", "echo '$0 --child &' > x; sh x", "while read -r u; do curl \"$u\" & done < urls; wait",
			},
		},
		{
			ID: "code-spawn", Class: "processes", Programs: program.Names(program.EvaluatesUnder) + " " + program.Names(program.IsRough), Match: codeSpawns,
			Why:     "makes an interpreter start processes endlessly",
			Instead: "Start a fixed number of processes and wait for them.",
			Hit: []string{
				`node -e 'for(;;) require("child_process").spawn("sleep", ["900"])'`, `awk 'BEGIN { while (1) system("sleep 900 &") }'`,
				"python3 -c 'import subprocess\nwhile True:\n    subprocess.Popen([\"sleep\", \"900\"])'", `ruby -e 'while true; spawn "sleep 900"; end'`,
				"python3 -c 'import subprocess, itertools\nfor i in itertools.count():\n    subprocess.Popen([\"yes\"])'",
			},
			Miss: []string{
				`node -e 'for (const f of files) require("child_process").spawn("gzip", [f])'`, `awk '{ while (1) { if (!(getline x < f)) break } }' f`,
				"python3 -c 'import subprocess, time\nwhile True:\n    subprocess.Popen([\"make\"]).wait()'", `ruby -e '3.times { fork { work } }'`,
			},
		},
		{
			ID: "flood", Class: "processes", Programs: program.Names(program.Appends) + " " + program.Names(program.IsShell), Match: floods,
			Why:     "starts processes endlessly",
			Instead: "Start a fixed number of processes and wait for them.",
			Hit:     []string{"yes | xargs -P 0 -n 1 sleep", "yes 600 | xargs -P0 -I{} sleep {}", "yes 600 | parallel -j 0 sleep", "seq inf | xargs -P0 -n1 sleep", "xargs -P0 -I{} sh -c 'sleep 99' < <(yes)", "seq 100000 | xargs -P0 -n1 sleep"},
			Miss:    []string{"seq 4 | xargs -P 0 -n 1 sleep", "yes | head -4 | xargs -P0 -n1 sleep", "yes | xargs -n 1 echo", "ls | parallel -j 0 gzip", "seq 200 | xargs -P0 -n1 curl", "seq 100000 | xargs -P8 -n1 echo"},
		},
		{
			ID: "kill-all", Class: "processes", Programs: program.Names(program.Appends) + " " + program.NamesOf("ends"), Match: killsAll,
			Why:     "kills every process",
			Instead: "Kill the exact process by its id.",
			Hit: []string{"gps | spps -force", "kill -9 $(ls /proc | grep '^[0-9]' | shuf)",
				"chroot /mnt kill -9 -1", "docker run --pid=host alpine kill -9 -1", "kill -9 -1", "kill -s KILL -1", "kill -KILL -- -1", "killall5 -9", "sudo kill -TERM -1", "kill -1 -1", "pkill -9 -f .", "kill -n 9 -- -1",
				"kill -9 -01", "pkill -u dev", "pkill -9 -0 -u dev", "pkill -0 -kill -u dev", "pkill -s 0 -u dev", "kill -9 -0 -1", "kill -0 -s 9 -1", "kill -s 0 -9 -1", "kill -s 0 -1 -1", "pkill -KILL -u \"$USER\"", "pkill -v sshd", "killall -u root", "killall -r '.*'", "fuser -km /", "loginctl terminate-user dev", "taskkill /f /im '*'", "kill -9 {1..32768}", "seq 32768 | xargs kill -9", "for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done", "kill -9 $(ps -e -o pid=)", "ps aux | awk '{print $2}' | xargs kill -9", "pgrep . | xargs kill", "systemctl stop user.slice", "skill -9 dev", "P=$(ps -eo pid=); kill -9 $P", "parallel kill -9 ::: $(ps -eo pid=)", "kill -9 $(lsof -t /)"},
			Miss: []string{"docker run alpine kill -9 -1", "kill -1 123", "kill -9 4242", "kill -0 1234", "kill -- -1234", "pkill -f 'node server.js'", "killall node", "kill -l", "kill -l -1", "kill -0 -1", "kill -s 0 -1", "pkill -0 -u dev", "pkill --signal 0 .",
				"pkill -u www-data php-fpm", "killall -r '^node$'", "fuser -k 8080/tcp", "fuser -v /", "taskkill /f /im node.exe", "ps aux | grep node | awk '{print $2}' | xargs kill", "kill -0 {1..32768}", "kill {100..105}", "for p in $(pgrep node); do kill -9 $p; done", "kill -0 $(ps -e -o pid=)", "ps -e -o pid= | tail -1 | xargs kill", "pkill -u \"$USER\" node", "kill $(lsof -t -i:3000)", "ps aux --sort=-%mem | head -10 | awk '{print $2}' | xargs kill"},
		},
		{
			ID: "code-kill", Class: "processes", Programs: program.Names(program.EvaluatesUnder) + " " + program.Names(program.IsRough), Match: codeKills,
			Why:     "makes an interpreter kill every process",
			Instead: "Kill the exact process by its id.",
			Hit:     []string{`python3 -c 'import os; os.kill(-1, 9)'`, `perl -e 'kill 9, -1'`, `ruby -e 'Process.kill("KILL", -1)'`, `node -e 'process.kill(-1)'`, `php -r 'posix_kill(-1, 9);'`},
			Miss:    []string{`python3 -c 'import os; os.kill(123, 9)'`, `perl -e 'kill 0, 123'`, `python3 -c 'print("kill -1")'`},
		},
	}
}

func power() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "power-state", Class: "power", Match: changesPower,
			Programs: program.NamesOf("powers"),
			Why:      "turns the machine off or restarts it",
			Instead:  "Restart only the service that needs it.",
			Hit: []string{
				"chroot /mnt reboot", "unshare -R /mnt poweroff", "shutdown -h now", "sudo reboot", "halt -p", "poweroff", "init 0", "telinit 6", "systemctl --no-wall poweroff", "systemctl poweroff --when=+1h", "systemctl poweroff --when=cancel --when=+1m", "systemctl isolate reboot.target",
				"systemctl start poweroff.target", "loginctl reboot", "Stop-Computer -Force", "ssh host true; reboot", "/sbin/shutdown -r +1", "shutdown",
				"systemctl start systemd-reboot.service", "systemctl enable --now reboot.target", "busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b 0",
				"kexec -e", "kill -s RTMIN+5 1", "kill -INT 1", "launchctl reboot", "rtcwake -m off -s 60", "osascript -e 'tell app \"System Events\" to shut down'", "ssh dev@localhost reboot", "$(command -v poweroff)", "runit-init 6", "dinitctl shutdown", "systemctl -H localhost reboot", "systemctl -M .host poweroff", "loginctl --host=localhost reboot", "pdsh -w localhost reboot", "herd power-off shepherd", "s6-linux-init-hpr -r", "psshutdown -r", "qdbus org.kde.ksmserver /KSMServer logout 0 1 2",
			},
			Miss: []string{
				"docker run alpine reboot", "chroot /mnt systemctl status reboot.target", "shutdown --help", "shutdown -c", "shutdown.exe -a", "systemctl poweroff --when=cancel", "systemctl reboot --when=show", "rtcwake -n -m off -s 60", "systemctl status reboot.target", "grep reboot /var/log/syslog", "man reboot", "./reboot-check", "ssh host reboot",
				"init 3", "reboot --help", "git commit -m 'reboot'", "docker run img reboot", "reboot() { ssh pi sudo reboot; }; reboot", "systemctl -H host reboot", "systemctl restart nginx", "npm run init",
				"busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanReboot", "kill -HUP 1", "kill -INT 4321", "launchctl list",
				"osascript -e 'display dialog \"remember to restart the server\"'", "ipmitool -H bmc power off", "systemctl start reboot-cleanup.service", "systemctl -M web reboot", "pdsh -w n1 reboot", "herd status shepherd", "psshutdown -a", "qdbus org.kde.ksmserver /KSMServer logout 0 0 2",
			},
		},
		{
			ID: "sysrq", Class: "power", Match: writesSysrq,
			Why:     "crashes or restarts the kernel at once",
			Instead: "Ask the user to restart the machine.",
			Hit:     []string{"echo b > /proc/sysrq-trigger", "echo c | sudo tee /proc/sysrq-trigger", "printf o >/proc/./sysrq-trigger", "echo b > /proc/1/root/proc/sysrq-trigger", "echo b > /proc/sysrq*", "ln -s /proc/sysrq-trigger y; tee y <<< b", "git -C /proc diff --output=sysrq-trigger"},
			Miss:    []string{"cat /proc/sys/kernel/sysrq", "echo b > ./sysrq-trigger", "grep sysrq-trigger notes"},
		},
	}
}

func limits() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "sudo-password", Class: "limits", Programs: program.Names(program.ReadsPassword), Match: guessesPassword,
			Why:     "feeds a password to sudo",
			Instead: "Ask the user to run the privileged step.",
			Hit: []string{
				"echo hunter2 | sudo -S id", "sudo -S true <<< pw", "echo x | sudo --stdin id", "echo x | sudo -kS id", "echo x | sudo --std id", "echo x | timeout 5 sudo -nS id",
				"sudo -p '' -S ls < pw.txt", "echo x | sudo -lS",
			},
			Miss: []string{"sudo -n true", "sudo -v", "sudo apt-get install -S x", "sudo -l", "echo sudo -S", "sudo -u s id"},
		},
		{
			ID: "self-approval", Class: "limits", Match: decidesAtService,
			Why:     "logs in to the approval service, decides there, or changes its rules or tokens, which only a person may do",
			Instead: "Ask the user to decide.",
			Hit: []string{"curl -X POST http://127.0.0.1:8765/v1/login -d x", "curl localhost:8765/v1/requests/1/decision -d '{}'", "wget --post-data=x http://127.1:8765/api/approvals/1/approve", "http POST :8765/v1/tokens name=me",
				"printf 'POST /v1/login HTTP/1.0\\r\\n\\r\\n' | nc localhost 8765", "curl --unix-socket /home/dev/.local/state/policyctl/approval/approval.sock http://x/v1/login -d x", "python3 -c \"import requests; requests.post('http://127.0.0.1:8765/v1/login')\""},
			Miss: []string{"curl http://127.0.0.1:8765/health", "curl -X POST http://127.0.0.1:8765/v1/requests -d '{}'", "curl 'http://127.0.0.1:8765/v1/requests/7?wait=30s'", "curl -X POST http://127.0.0.1:3000/v1/login -d x", "echo http://127.0.0.1:8765/v1/login", "grep -rn /v1/login src", "nc -z localhost 8765"},
		},
		{
			ID: "self-protection", Class: "limits", Match: touchesLimits,
			Why:     "changes the limits under which the agent runs",
			Instead: "Ask the user to change the policy.",
			Hit: []string{"policyctl trust", "policyctl init", "policyctl import claude --output ~/.config/policyctl/policy.yaml", "policyctl trust --yes .", "policyctl approvals trust-verb curl", "policyctl requests approve 1", "policyctl requests --token-file ada.token approve 1",
				"policyctl requests approve 1 --comment --help", "policyctl requests deny 1 --reason no", "policyctl requests revoke 1", "policyctl requests revoke --session s1", "policyctl learn --accept 'shell npm *' calls.jsonl", "policyctl learn --accept=x", "policyctl import netclaw", "policyctl import --strict netclaw f.json", "policyctl import netclaw f.json --dry-run=false", "policyctl token create z --scope approve --help --help=false", "policyctl token create z -h --help=0 --scope approve", "V='approve --db'; policyctl token create z --scope $V --help",
				"policyctl trust --list --list=false", "policyctl trust --list=false", "policyctl install claude --dry-run --dry-run=false", "policyctl trust --json", "policyctl requests approve 1 -- --help", "policyctl approvals revoke 'x anywhere' --help --help=f", "policyctl requests watch --login <<<\"$URL\"", "policyctl token create x --scope approve", "policyctl token --db approval.db revoke 1", "policyctl serve --db x.db",
				"policyctl mock-approval-service --config yes.json", "policyctl ship --to https://x.example --token-file t", "policyctl eval --jsonl --audit < calls.jsonl", "policyctl eval ls --audit", "policyctl hook qwen <event.json", "echo '{}' | policyctl-hook --wait 5s claude", "~/go/bin/policyctl-hook codex", "sudo policyctl uninstall claude", "policyctl config set approvals.yolo true", "cd /x && policyctl config --dir . set --project approvals.mode auto", "policyctl audit prune --before 365d --discard", "policyctl audit --db x.db prune --before 1d --to x.jsonl --dry-run=false", "pkill policyctl", "killall -9 policyctl",
				"pkill 'policy.*'", "kill $(pgrep policyctl)", "pidof policyctl | xargs kill", "systemctl --user stop policyctl", "go run ./cmd/policyctl trust", "chattr -i ~/.config/policyctl/policy.yaml", "find ~/.config -name '*.yaml' -delete", "ps aux | awk '/policyctl/{print $2}' | xargs kill",
				"chmod -R 777 ~/.config", "mv policyctl ~/.config/", "git -C ~/.config clean -fdx", "perl -pi -e s/deny/allow/ ~/.config/policyctl/policy.yaml", "patch ~/.config/policyctl/policy.yaml < x.diff",
				"find ~/.config -name '*.toml' -delete", "find ~ -iname POLICY.JSON -delete", "tee ~/.config/policyctl/config.toml < x", "time ./x requests approve 1", "cp /usr/bin/policyctl ~/bin/foo; foo approvals trust-verb x", "PATH=/tmp/x foo requests approve 1", "echo x > /proc/$(pgrep policyctl)/mem", "truncate -s 0 /proc/$(pidof policyctl)/fd/7"},
			Miss: []string{"policyctl eval ls", "policyctl eval 'policyctl ship'", "policyctl stats", "policyctl learn", "policyctl learn --json calls.jsonl", "policyctl trust --list", "policyctl import claude", "policyctl import netclaw --dry-run", "policyctl install claude --dry-run", "policyctl status", "policyctl approvals list", "policyctl stages", "grep policyctl README.md", "pgrep policyctl", "policyctl requests list", "policyctl requests --service unix:s.sock list", "policyctl requests show 1 --json", "policyctl token list", "policyctl audit verify", "policyctl audit prune --before 365d --dry-run", "policyctl audit export -o prune",
				"policyctl audit export -o log.jsonl", "policyctl requests approve --help", "policyctl token create -h", "policyctl requests approve --help 1", "policyctl trust --json --list", "policyctl install claude --dry-run --scope user", "policyctl help requests approve",
				"policyctl help trust", "policyctl hook --help", "policyctl-hook", "policyctl doctor codex", "systemctl status policyctl", "go run ./cmd/policyctl eval 'policyctl trust'", "go test ./cmd/policyctl", "cp -r ~/.config /tmp/backup", "chmod -R 700 ~/.config/nvim",
				"mv nvim ~/.config/", "foo approvals trust-verb x", "foo requests approve 1", "nice foo approvals revoke x", "echo x > /proc/$(pgrep node)/fd/1", "cat ~/.config/policyctl/policy.yaml", "find src -name config.toml -delete", "find ~/.config -name '*.md' -delete", "cp x ~/.codex/config.toml", "chown -R dev ~/.config", "pkill -x node", "for i in /bin/policyctl requests approve 7; do ls; done", "for i in $(printf %s '/bin/policyctl requests approve 7'); do ls; done"},
		},
	}
}

func foreign() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "other-shell", Class: "shell", Programs: program.NamesOf("shells"), Match: otherShellRuns,
			Why:     "makes another shell do something catastrophic",
			Instead: "Run the exact step that the task needs.",
			Hit:     []string{"tcsh -c 'rm -rf /'", "yash -c 'rm -rf ~'", "nix-shell <<< 'rm -rf /'", "nix-shell -p hello --run 'rm -rf ~'", "echo reboot | csh"},
			Miss:    []string{"tcsh -c 'rm -rf build'", "rc -c 'ls'", "nix-shell -p hello --run 'echo rm -rf /'", "nodemon --exec 'go run .'"},
		},
		{
			ID: "escape", Class: "shell", Programs: program.Names(program.Leaves), Match: escapesToShell,
			Why:     "makes a program escape to the shell to do something catastrophic",
			Instead: "Run the exact step that the task needs.",
			Hit: []string{
				"vim -c '!rm -rf /'", "vim '+!rm -rf /' +q", "rpm --eval '%(rm -rf /)'", "strace -o '|rm -rf /' ls", "bazel run --run_under='rm -rf /' //x", `psql -c '\! rm -rf /'`, "sqlite3 x.db '.shell rm -rf ~'", "mysql -e 'system rm -rf /'", "gdb -batch -ex 'shell rm -rf /'",
				"sqlite3 x.db \"select edit('x', 'rm -rf /')\"", "psql -c '\\set y `rm -rf /`'", "m4 <<< 'syscmd(rm -rf /)'", "expect -c 'spawn rm -rf /'", "ftp <<< '!rm -rf /'", "screen -S x -X stuff 'rm -rf /'", "zellij run -- rm -rf /", "socat - EXEC:'rm -rf /'", "rvm 3.2 do rm -rf /",
			},
			Miss: []string{
				"vim -c '%s/rm -rf ./true/'", "vim -c '!make'", "rpm --eval '%{_libdir}'", "strace -o '|gzip' ls", "bazel run --run_under=time //x", `psql -c "select 'rm -rf /'"`, "sqlite3 x.db \"insert into t values ('!rm -rf /')\"", "gdb -batch -ex bt ./app", "expect -c 'spawn ssh host'", "screen -ls", "zellij run -- make", "socat - TCP:host:80", "psql -c shutdown", "psql -c '\\set y `date`'", "m4 <<< 'define(x, rm -rf /)'",
			},
		},
		{
			ID: "evaluate", Class: "shell", Programs: program.Names(program.IsRough), Match: evaluates,
			Why:     "makes an interpreter do something catastrophic",
			Instead: "Name the exact paths below the project directory.",
			Hit: []string{
				`Rscript -e 'unlink("/", recursive=TRUE)'`, `R -e 'system("rm -rf /")'`, `julia -e 'rm("/", recursive=true)'`, `elixir -e 'File.rm_rf("/")'`, "julia -e 'run(`rm -rf /`)'", `puppet apply -e 'file { "/etc": ensure => absent }'`, `chef-apply -e 'execute "rm -rf /"'`,
			},
			Miss: []string{`Rscript -e 'unlink("build", recursive=TRUE)'`, `R -e 'print("rm -rf /")'`, `julia -e 'using Pkg; Pkg.test()'`, "emacs notes.org", `puppet apply -e 'file { "/tmp/x": ensure => absent }'`, `chef-apply -e 'package "git"'`},
		},
		{
			ID: "runner", Class: "shell", Programs: runners(), Match: runsWordsOf,
			Why:     "makes a program run something catastrophic",
			Instead: "Run the exact step that the task needs.",
			Hit: []string{"cmake -E rm -rf /", "cmake -E remove_directory ~", "lvm lvremove -f vg0/root", "npx wrap rm -rf /",
				"ansible localhost -m file -a 'path=/ state=absent'", "ansible localhost -m reboot", "deno task --eval 'rm -rf /'", "ansible localhost -m shell -a 'cmd=\"rm -rf /\"'"},
			Miss: []string{"cmake -E remove_directory build", "cmake -E echo rm -rf /", "cmake --build build", "lvm lvs", "ansible web -m reboot", "ansible localhost -m file -a 'path=/etc state=directory'", "ansible localhost, -c docker -m reboot"},
		},
		{
			ID: "handed-on", Class: "shell", Match: runsHanded,
			Why:     "hands something catastrophic to a program that may run it",
			Instead: "Run the exact step that the task needs.",
			Hit: []string{
				"mywrap rm -rf /", "./scripts/run.sh -v rm -rf ~", "mywrap exec -- sudo rm -rf /etc", "python3 wrap.py rm -rf /",
				"python3 -m wrap rm -rf /", "npm run wrap -- rm -rf /", "./w rm -rf /", "go run ./cmd/wrap dd if=/dev/zero of=/dev/sda",
				"cargo run -- rm -rf /", "mywrap bash -c 'rm -rf ~'", "mywrap test rm -rf /", "D=/; mywrap rm -rf \"$D\"", "cd / && mywrap rm -rf *",
				"yarn rimraf /", "deno run -A npm:rimraf /", "mywrap del-cli -f '/**'", "Start-Job { Remove-Item -Recurse / }", "dsh -g all -- rm -rf /",
			},
			Miss: []string{
				"mywrap rm -rf build", "./deploy.sh rm", "./ctl.sh kill web", "mywrap --message 'rm -rf /'", "mywrap echo rm -rf /",
				"mywrap cowsay rm -rf /", "cowsay rm -rf /", "mywrap grep rm -rf /", "./ctl.sh reboot", "npm run kill", "./gradlew clean install",
				"mycli delete rm -rf", "bash -n x.sh rm", "mywrap git rm -rf dist", "xcrun simctl shutdown all", "./server reboot node1",
				"todo add rm -rf /",
			},
		},
		{
			ID: "make-shell", Class: "shell", Programs: "make", Match: makesRun,
			Why:     "makes make run something catastrophic",
			Instead: "Run the exact step that the task needs.",
			Hit:     []string{"make --eval='$(shell rm -rf /)'", "make -E '$(shell reboot)' all", "make X='$(shell rm -rf ~)'", "make -f - <<< $'all:\n\trm -rf /'", "make SHELL='rm -rf /' all"},
			Miss:    []string{"make reboot", "make clean", "make X='$(shell git rev-parse HEAD)'", "make -n shutdown", "make -f - <<< $'all:\n\techo rm -rf /'", "make SHELL=/bin/bash all"},
		},
		{
			ID: "task-file", Class: "shell", Programs: runnersAtOnce() + " " + runnersByVerb(), Kind: "lines tasks", Match: runsTask,
			Why:     "runs a catastrophic task that the same line writes",
			Instead: "Write the exact step that the task needs.",
			Hit: []string{
				"printf 'x:\\n  rm -rf /\\n' > justfile; just x", "echo '{\"scripts\": {\"x\": \"rm -rf /\"}}' > package.json && npm run x",
				"printf 'tasks:\\n  x:\\n    cmds:\\n      - rm -rf /\\n' > Taskfile.yml; task x", "cmake -P <(echo 'execute_process(COMMAND rm -rf /)')", "echo 'file(REMOVE_RECURSE /)' > x.cmake; cmake -P x.cmake", "npm pkg set scripts.x='rm -rf /' && npm run x", "printf 'x:\\n rm -rf /\\n' | just -f - x",
			},
			Miss: []string{
				"printf 'x:\\n  rm -rf build\\n' > justfile; just x", "echo '{\"description\": \"rm -rf /\", \"scripts\": {\"x\": \"tsc\"}}' > package.json && npm run x",
				"printf 'tasks:\\n  x:\\n    desc: rm -rf /\\n' > Taskfile.yml; task x", "cmake -P <(echo 'message(\"rm -rf /\")')", "npm pkg set description='rm -rf /' && npm run x",
			},
		},
		{
			ID: "schedule", Class: "shell", Programs: program.Names(program.Schedules), Match: escapesToShell,
			Why:     "schedules something catastrophic",
			Instead: "Schedule the exact step that the task needs.",
			Hit:     []string{"echo '* * * * * rm -rf /' | crontab -", "crontab - <<< '@reboot rm -rf ~'", "echo '0 3 * * 1-5 /sbin/reboot' | crontab -", "(crontab -l; echo '@daily rm -rf /') | crontab -"},
			Miss:    []string{"echo '@reboot /opt/app/start' | crontab -", "echo '0 3 * * * rm -rf /var/tmp/cache' | crontab -", "crontab -l | grep reboot", "echo '# rm -rf /' | crontab -"},
		},
		{
			ID: "runs-later", Class: "shell", Match: runsLater,
			Why:     "writes something catastrophic to a file that runs by itself",
			Instead: "Write the exact step that the task needs.",
			Hit: []string{
				"echo 'rm -rf /' >> ~/.bashrc", "echo '* * * * * root rm -rf /' > /etc/cron.d/x", "printf '#!/bin/sh\\nreboot\\n' > .git/hooks/pre-commit", "printf '[Service]\\nExecStart=/bin/rm -rf /\\n' | sudo tee /etc/systemd/system/x.service", "echo 'rm -rf ~' > x; cp x ~/.profile", "echo 'rm -rf /' | sudo tee /etc/rc.local",
			},
			Miss: []string{
				"echo \"alias off='systemctl poweroff'\" >> ~/.bashrc", "echo '0 3 * * * root rm -rf /var/tmp/cache' > /etc/cron.d/x", "printf '#!/bin/sh\\nnpm test\\n' > .git/hooks/pre-commit", "printf '[Service]\\nExecStart=/opt/app/start\\n' | sudo tee /etc/systemd/system/x.service", "echo 'rm -rf /' > notes.txt", "echo '# rm -rf /' >> ~/.bashrc", "echo 'export PATH=~/bin:$PATH' >> ~/.profile", "echo 'off() { poweroff; }' >> ~/.zshrc",
			},
		},
		{
			ID: "windows", Class: "windows", Match: destroysWindows,
			Programs: program.NamesOf("ruins", "spoils"),
			Why:      "destroys a Windows drive",
			Instead:  "Delete only the files that the task requires, by name.",
			Hit: []string{
				"format c:", "rd /s /q C:\\\\", "del /f /s /q 'C:\\*'", "Remove-Item -Recurse -Force C:\\\\", "rmdir /s 'D:\\'", "Format-Volume -DriveLetter C",
				"Clear-Disk -Number 0 -RemoveData", "Remove-Item -Recurse -Force 'C:\\Windows'", "robocopy /MIR empty C:\\\\", "icacls C:\\\\ /grant Everyone:F /t", "wmic shadowcopy delete", "cipher '/w:C:\\'", "bcdedit /delete '{current}'",
			},
			Miss: []string{"rd /s /q build", "del out.txt", "Remove-Item -Recurse ./dist", "format --help", "rmdir empty", "npm run format c:", "robocopy C:\\\\src D:\\\\backup /mir /l", "vssadmin list shadows", "cipher /e x", "bcdedit /enum"},
		},
		{
			ID: "foreign-shell", Class: "windows", Programs: program.Names(program.IsForeign) + cmdStarters, Match: foreignText,
			Why:     "makes another shell do something catastrophic",
			Instead: "Delete only the files that the task requires, by name.",
			Hit: []string{"cmd /c 'r^d/s/q C:\\'", "rd/s/q 'C:\\'", "start rd /s /q 'C:\\'", "cmd /c 'for /d %x in (C:\\*) do rd /s /q %x'", "cmd /c 'cd /d C:\\ & del /f /s /q *'", "cmd /c 'rd /s /q C:\\'", "pwsh -Command 'Remove-Item -Recurse -Force C:\\'", "powershell -c 'Stop-Computer -Force'",
				"powershell Restart-Computer", "cmd /c 'rd /s /q %USERPROFILE%'", "pwsh -c 'Remove-Item -Recurse -Force ~'", "powershell -enc UgBlAG0AbwB2AGUALQBJAHQAZQBtACAALQBSAGUAYwB1AHIAcwBlACAAQwA6AFwA"},
			Miss: []string{"cmd /c 'for /d %x in (build\\*) do rd /s /q %x'", "start .", "rd/s/q build", "pwsh -Command 'Get-ChildItem'", "cmd /c 'dir C:\\'", "powershell -c 'Write-Output hi'"},
		},
	}
}
