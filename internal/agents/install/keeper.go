package install

import (
	"encoding/xml"
	"fmt"
	"path"
	"strings"
	"time"
)

// keeperName names the job that keeps bundles current, and keeperMark stands in
// each file of it: what lacks the mark was written by somebody else.
const (
	keeperName  = "policyctl-bundles"
	keeperLabel = "policyctl.bundles"
	// No two hyphens: it stands in a comment of XML.
	keeperMark = "Written by policyctl bundle sync"
)

// A Keeper describes the job that runs policyctl bundle sync --once. What is
// made of it depends on its fields alone.
type Keeper struct {
	// System is linux, darwin or windows, as GOOS has it.
	System string
	// Root says that the job serves the whole machine. There is none on Windows.
	Root bool
	UID  int
	// Program is the absolute path of policyctl.
	Program string
	// Home is the home directory and Config that of systemd's user units,
	// mostly ~/.config.
	Home, Config string
	// State and Forms are the directories into which the job writes. Forms is
	// empty for a person.
	State, Forms string
	// Every is the time between two runs, in whole minutes.
	Every time.Duration
}

// A KeeperFile is a file of the job.
type KeeperFile struct{ Path, Text string }

// A Step is a command that starts or stops the job.
type Step struct {
	Args []string
	// MayFail says that the job is right without it.
	MayFail bool
}

func (s Step) String() string { return strings.Join(quoteAll(s.Args), " ") }

func quoteAll(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.ContainsAny(a, " \t'\"\\$&;()") {
			out[i] = `"` + a + `"`
		}
	}
	return out
}

// Check refuses what no job can be made of.
func (k *Keeper) Check() error {
	switch {
	case k.System != "linux" && k.System != "darwin" && k.System != "windows":
		return fmt.Errorf("no job can be installed on %s: run policyctl bundle sync --once every few minutes", k.System)
	case !regular(k.Every):
		return fmt.Errorf("--every %s: a number of minutes that divides an hour, or of hours that divides a day", k.Every)
	}
	for _, p := range []string{k.Program, k.Home, k.State, k.Forms} {
		bad := "\"\n\r\t"
		if k.System == "linux" {
			bad += `\%$`
		}
		if strings.ContainsAny(p, bad) {
			return fmt.Errorf("%q holds a character that a job cannot have in a path", p)
		}
	}
	return nil
}

// Files returns the files of the job.
func (k *Keeper) Files() []KeeperFile {
	switch k.System {
	case "linux":
		dir := k.Config + "/systemd/user"
		if k.Root {
			dir = "/etc/systemd/system"
		}
		return []KeeperFile{
			{path.Join(dir, keeperName+".service"), k.service()},
			{path.Join(dir, keeperName+".timer"), k.timer()},
		}
	case "darwin":
		dir := k.Home + "/Library/LaunchAgents"
		if k.Root {
			dir = "/Library/LaunchDaemons"
		}
		return []KeeperFile{{path.Join(dir, keeperLabel+".plist"), k.plist()}}
	default:
		return []KeeperFile{{k.State + `\` + keeperName + ".xml", k.task()}}
	}
}

// Start returns the commands that start the job once its files are there.
func (k *Keeper) Start() []Step {
	switch k.System {
	case "linux":
		return []Step{
			{Args: k.systemctl("daemon-reload")},
			{Args: k.systemctl("enable", "--now", keeperName+".timer")},
			{Args: k.systemctl("restart", keeperName+".timer")},
		}
	case "darwin":
		return []Step{
			{Args: []string{"launchctl", "bootout", k.domain() + "/" + keeperLabel}, MayFail: true},
			{Args: []string{"launchctl", "bootstrap", k.domain(), k.Files()[0].Path}},
		}
	default:
		return []Step{{Args: []string{"schtasks", "/Create", "/F", "/TN", keeperName, "/XML", k.Files()[0].Path}}}
	}
}

// Stop returns the commands to run before the files are removed, and after.
func (k *Keeper) Stop() (before, after []Step) {
	switch k.System {
	case "linux":
		return []Step{{Args: k.systemctl("disable", "--now", keeperName+".timer")}}, []Step{{Args: k.systemctl("daemon-reload")}}
	case "darwin":
		return []Step{{Args: []string{"launchctl", "bootout", k.domain() + "/" + keeperLabel}, MayFail: true}}, nil
	default:
		return []Step{{Args: []string{"schtasks", "/Delete", "/F", "/TN", keeperName}}}, nil
	}
}

func (k *Keeper) systemctl(args ...string) []string {
	if k.Root {
		return append([]string{"systemctl"}, args...)
	}
	return append([]string{"systemctl", "--user"}, args...)
}

func (k *Keeper) domain() string {
	if k.Root {
		return "system"
	}
	return fmt.Sprintf("gui/%d", k.UID)
}

// service returns the unit. That of a person has no namespaces: in one of a
// person's own, files of root seem to be nobody's, and policyctl would trust
// none of them.
func (k *Keeper) service() string {
	environment := "-%h/.config/policyctl/environment"
	if k.Root {
		environment = "-/etc/policyctl/environment"
	}
	text := "# " + keeperMark + `
[Unit]
Description=Bring the bundles of policyctl up to date
`
	if k.Root {
		text += "Wants=network-online.target\nAfter=network-online.target\n"
	}
	text += `
[Service]
Type=oneshot
ExecStart="` + k.Program + `" bundle sync --once
EnvironmentFile=` + environment + `
TimeoutStartSec=5min
NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictRealtime=yes
SystemCallArchitectures=native
`
	if k.Root {
		text += `Environment="HOME=` + k.Home + `"
WorkingDirectory=/
ProtectSystem=strict
ReadWritePaths="` + k.State + `" "` + k.Forms + `"
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictSUIDSGID=yes
`
	}
	return text
}

func (k *Keeper) timer() string {
	return "# " + keeperMark + `
[Unit]
Description=Bring the bundles of policyctl up to date

[Timer]
OnCalendar=` + k.calendar() + `
Persistent=yes
RandomizedDelaySec=30s

[Install]
WantedBy=timers.target
`
}

// calendar returns the times of the job: only such a timer runs at once what
// was missed while the machine was off.
func (k *Keeper) calendar() string {
	minutes := int(k.Every / time.Minute)
	if minutes < 60 {
		return fmt.Sprintf("*:0/%d", minutes)
	}
	if minutes == 24*60 {
		return "00:00"
	}
	return fmt.Sprintf("0/%d:00", minutes/60)
}

func (k *Keeper) plist() string {
	text := `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ` + keeperMark + ` -->
<plist version="1.0">
<dict>
	<key>Label</key><string>` + keeperLabel + `</string>
	<key>ProgramArguments</key>
	<array>
		<string>` + escaped(k.Program) + `</string>
		<string>bundle</string>
		<string>sync</string>
		<string>--once</string>
	</array>
`
	if k.Root {
		text += "\t<key>EnvironmentVariables</key>\n\t<dict><key>HOME</key><string>" + escaped(k.Home) + "</string></dict>\n"
	}
	return text + fmt.Sprintf(`	<key>RunAtLoad</key><true/>
	<key>StartInterval</key><integer>%d</integer>
	<key>ProcessType</key><string>Background</string>
</dict>
</plist>
`, int(k.Every/time.Second))
}

func (k *Keeper) task() string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>%s</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition><Interval>PT%dM</Interval></Repetition>
      <StartBoundary>2024-01-01T00:00:00</StartBoundary>
      <RandomDelay>PT30S</RandomDelay>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT5M</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%s</Command>
      <Arguments>bundle sync --once</Arguments>
    </Exec>
  </Actions>
</Task>
`, keeperMark, int(k.Every/time.Minute), escaped(k.Program))
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// regular reports whether a calendar has such steps.
func regular(every time.Duration) bool {
	switch {
	case every < time.Minute || every > 24*time.Hour:
		return false
	case every < time.Hour:
		return time.Hour%every == 0 && every%time.Minute == 0
	}
	return 24*time.Hour%every == 0 && every%time.Hour == 0
}
