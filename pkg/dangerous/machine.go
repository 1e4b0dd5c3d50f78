package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

// The programs of virtual machines and of devices, and what they erase with.
var (
	hypervisors = []use{
		{names: "virsh", does: "undefine, destroy, reset, vol-delete, vol-wipe, pool-delete, pool-destroy, snapshot-delete, snapshot-revert, net-destroy, net-undefine, managedsave-remove"},
		{names: "vboxmanage", does: "unregistervm --delete, unregistervm --delete-all, closemedium --delete, discardstate"},
		{names: "vboxmanage", does: "controlvm _ poweroff, controlvm _ reset, snapshot _ delete, snapshot _ restore, snapshot _ restorecurrent"},
		{names: "qm", does: "destroy, stop, reset, rollback, delsnapshot, unlink"},
		{names: "pct", does: "destroy, stop, rollback, delsnapshot"},
		{names: "pvesh", does: "delete"},
		{names: "pvesm", does: "free, remove"},
		{names: "prlctl", does: "delete, unregister, stop --kill, snapshot-delete, snapshot-switch"},
		{names: "vmrun", does: "deleteVM, deleteSnapshot, revertToSnapshot, stop _ hard, reset _ hard"},
		{names: "multipass", does: "delete, purge"},
		{names: "limactl colima orb tart utmctl", does: "delete, factory-reset, reset"},
		{names: "lxc incus", does: "delete, rm, image delete, storage delete, storage volume delete, network delete, project delete, snapshot delete, restore, rebuild"},
		{names: "lxc-destroy lxc-snapshot"},
		{names: "lxd", does: "shutdown"},
		{names: "govc", does: "vm.destroy, datastore.rm, snapshot.remove, snapshot.revert, object.destroy, pool.destroy, host.shutdown, host.remove, datacenter.destroy, vm.power --off"},
		{names: "xe", does: "vm-destroy, vm-uninstall, vdi-destroy, sr-destroy, sr-forget, snapshot-destroy, snapshot-revert, host-shutdown, host-reboot, vm-shutdown --force"},
		{names: "machinectl", does: "remove, terminate, poweroff, clean"},
		{names: "docker podman", does: "machine rm, machine reset"},
		{names: "docker-machine", does: "rm, kill"},
		{names: "bhyvectl", does: "--destroy, --force-poweroff"},
		{names: "vmadm", does: "delete, destroy, rollback-snapshot"},
		{names: "jail", does: "-r, -R"},
		{names: "bastille iocage ezjail-admin pot", does: "destroy, delete, rollback"},
		{names: "virt-sysprep virt-format"},
		{names: "qemu-img", does: "snapshot -d, snapshot -a"},
		{names: "finch", does: "vm remove, vm rm"},
		{names: "rdctl", does: "factory-reset, reset"},
		{names: "avdmanager", does: "delete avd"},
		{names: "xcrun", does: "simctl erase, simctl delete, devicectl device uninstall"},
		{names: "ignite", does: "rm, vm rm"},
	}
	phones = []use{
		{names: "adb", does: "uninstall, sideload, restore, disable-verity, enable-verity, reboot, emu kill, shell reboot, shell wipe, shell dd"},
		{names: "fastboot", does: "erase, format, -w, flash, flashall, update, oem, flashing, wipe-super, delete-logical-partition, resize-logical-partition, set_active, snapshot-update"},
		{names: "pm", does: "clear, uninstall, disable, disable-user, trim-caches"},
		{names: "cmd", does: "package clear, package uninstall, recovery, testharness enable"},
		{names: "am", does: "broadcast android.intent.action.MASTER_CLEAR, broadcast android.intent.action.FACTORY_RESET"},
		{names: "recovery", does: "--wipe_data, --wipe_cache"},
		{names: "settings content", does: "delete, reset"},
		{names: "idevicerestore", does: "*", unless: "-h --help -v --version"},
		{names: "cfgutil", does: "erase, restore, revive, remove-app, remove-profile"},
		{names: "pymobiledevice3", does: "restore, apps uninstall, backup2 erase-device"},
		{names: "idevicebackup2", does: "restore, erase, -e"},
		{names: "ideviceenterrecovery irecovery", does: "*", unless: "-q -h --help"},
		{names: "heimdall", does: "flash"},
		{names: "emulator", does: "-wipe-data"},
		{names: "esptool esptool.py", does: "erase_flash, erase-flash, erase_region, erase-region"},
		{names: "st-flash", does: "erase"},
		{names: "nrfjprog", does: "--eraseall, --recover, -e"},
		{names: "pyocd", does: "erase"},
		{names: "avrdude", does: "-e"},
	}
)

func machineRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "machine-delete", Class: "machine", Programs: programsOf(hypervisors),
			Why:     "deletes a virtual machine or its disks, or cuts its power",
			Instead: "List the machines, shut down the one you mean cleanly, and ask the user to delete it.",
			Match:   match(uses(hypervisors)),
			Hit:     []string{"virsh undefine web --remove-all-storage", "VBoxManage unregistervm web --delete", "VBoxManage controlvm web poweroff", "qm destroy 100", "prlctl delete web", "vmrun -T ws deleteVM web.vmx", "multipass delete --purge web", "limactl delete default", "lxc delete -f web", "xcrun simctl erase all"},
			Miss:    []string{"virsh list --all", "VBoxManage showvminfo web", "VBoxManage controlvm web screenshotpng a.png", "qm list", "multipass list", "multipass exec web -- ls", "lxc info web", "qemu-img snapshot -l a.qcow2", "xcrun simctl list"},
		},
		{
			ID: "phone-erase", Class: "machine", Programs: programsOf(phones),
			Why:     "erases or overwrites a phone, a board or an app's data on it",
			Instead: "Show the user what is on the device, and ask them to erase it.",
			Match:   match(uses(phones)),
			Hit:     []string{"adb shell wipe data", "adb shell recovery --wipe_data", "adb -s emulator-5554 shell pm clear com.example", "fastboot erase userdata", "fastboot -w", "idevicerestore -e a.ipsw", "cfgutil -e 0x1 erase", "esptool.py --port /dev/ttyUSB0 erase_flash"},
			Miss:    []string{"adb devices", "adb shell pm list packages", "adb install app.apk", "fastboot devices", "fastboot getvar all", "cfgutil list", "idevicerestore --help", "esptool.py chip_id"},
		},
	}
}
