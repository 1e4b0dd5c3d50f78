package dangerous

import "github.com/policyctl/policyctl/pkg/hazard"

func machineRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "machine-delete", Class: "machine", Kind: "deletes-machines",
			Why:     "deletes a virtual machine or its disks, or cuts its power",
			Instead: "List the machines, shut down the one you mean cleanly, and ask the user to delete it.",
			Match:   match(not(dry), acts("deletes-machines")),
			Hit:     []string{"virsh undefine web --remove-all-storage", "VBoxManage unregistervm web --delete", "VBoxManage controlvm web poweroff", "qm destroy 100", "prlctl delete web", "vmrun -T ws deleteVM web.vmx", "multipass delete --purge web", "limactl delete default", "lxc delete -f web", "xcrun simctl erase all"},
			Miss:    []string{"virsh list --all", "VBoxManage showvminfo web", "VBoxManage controlvm web screenshotpng a.png", "qm list", "multipass list", "multipass exec web -- ls", "lxc info web", "qemu-img snapshot -l a.qcow2", "xcrun simctl list"},
		},
		{
			ID: "phone-erase", Class: "machine", Kind: "erases-devices",
			Why:     "erases or overwrites a phone, a board or an app's data on it",
			Instead: "Show the user what is on the device, and ask them to erase it.",
			Match:   match(not(dry), acts("erases-devices")),
			Hit:     []string{"adb shell wipe data", "adb shell recovery --wipe_data", "adb -s emulator-5554 shell pm clear com.example", "fastboot erase userdata", "fastboot -w", "idevicerestore -e a.ipsw", "cfgutil -e 0x1 erase", "esptool.py --port /dev/ttyUSB0 erase_flash"},
			Miss:    []string{"adb devices", "adb shell pm list packages", "adb install app.apk", "fastboot devices", "fastboot getvar all", "cfgutil list", "idevicerestore --help", "esptool.py chip_id"},
		},
	}
}
