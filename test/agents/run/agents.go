//go:build linux

package main

import (
	"strings"

	"github.com/policyctl/policyctl/test/agents/standin"
)

// An agent is how one client is installed, pointed at the stand-in and started,
// and what its tools are called.
type agent struct {
	name  string
	as    string // what policyctl calls it, if not by its name
	title string
	pkg   string // of npm, with a version where the newest does not install
	// beside are packages in the version that the client needs, where it takes one
	// with which it does not start.
	beside []string
	// files are settings below the home directory.
	files map[string]string
	env   []string
	// start, further words and says make the command line of one run without a
	// person.
	start, says []string
	// bypass are the words that make the agent ask nobody, and drops those that
	// start it without the user's hooks; NAME=VALUE first is a variable.
	bypass []string
	drops  [][]string
	// login is a command that points the client at the stand-in, where no
	// settings do.
	login []string
	// install are further words for policyctl install.
	install []string
	// The tools, each with one argument that a scenario sets.
	shell, write, read, fetch, mcp, delegate tool
	// find is a tool that has the agent offer those of MCP servers.
	find tool
	// background says that the agent does not wait for its sub-agents.
	background bool
	// expect are the cells that differ from what the scenarios want.
	expect map[string]string
}

// A tool is a call with a place for its argument, which is $1.
type tool struct {
	tool string
	args map[string]any
	// deferred says that the agent tells of it only in an answer of find.
	deferred bool
}

func (t tool) call(name, argument string) standin.Call {
	args, _ := filled(t.args, argument).(map[string]any)
	return standin.Call{Name: name, Tool: strings.ReplaceAll(t.tool, "$1", argument), Args: args, Deferred: t.deferred}
}

// filled returns a value with the argument in its texts.
func filled(v any, argument string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "$1", argument)
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			out[k] = filled(item, argument)
		}
		return out
	case []any:
		var out []any
		for _, item := range v {
			out = append(out, filled(item, argument))
		}
		return out
	}
	return v
}

type args = map[string]any

func agents() []agent {
	return []agent{claude(), codex(), codexFunctions(), copilot(), gemini(), qwen(), opencode(), kilo(), pi(), kimi(), grok(), cline(),
		commandcode(), droid()}
}

func lookup(name string) (agent, bool) {
	for _, a := range agents() {
		if a.name == name {
			return a, true
		}
	}
	return agent{}, false
}

func known() []string {
	var out []string
	for _, a := range agents() {
		out = append(out, a.name)
	}
	return out
}

// server is the entry of the server of tools in most settings.
const server = `{"mcpServers": {"shop": {"command": "` + own + `", "args": ["-mcp"]}}}`

func claude() agent {
	return agent{
		name: "claude", title: "Claude Code", pkg: "@anthropic-ai/claude-code",
		files: map[string]string{".claude.json": server},
		env: []string{"ANTHROPIC_BASE_URL=http://" + address, "ANTHROPIC_API_KEY=none", "ANTHROPIC_MODEL=" + standin.Model,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "ENABLE_TOOL_SEARCH=false"},
		start: []string{"claude"}, says: []string{"-p", prompt},
		bypass:   []string{"--dangerously-skip-permissions"},
		drops:    [][]string{{"--bare"}, {"--safe-mode"}, {"--setting-sources", "project"}, {"--settings", `{"disableAllHooks":true}`}},
		shell:    tool{tool: "Bash", args: args{"command": "$1", "description": "a step"}},
		write:    tool{tool: "Write", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "Read", args: args{"file_path": "$1"}},
		fetch:    tool{tool: "WebFetch", args: args{"url": "$1", "prompt": "what is it"}},
		mcp:      tool{tool: "mcp__shop__$1", args: args{"item": "apple"}},
		delegate: tool{tool: "Agent", args: args{"description": "a task", "prompt": "$1", "subagent_type": "general-purpose"}},
		expect:   map[string]string{"nonsense": ran},
	}
}

// codexModel returns the settings of Codex for one model.
func codexModel(model string) map[string]string {
	return map[string]string{".codex/config.toml": `model = "` + model + `"
model_provider = "standin"
sandbox_mode = "workspace-write"
[model_providers.standin]
name = "standin"
base_url = "http://` + address + `/v1"
wire_api = "responses"
env_key = "STANDIN_KEY"
[mcp_servers.shop]
command = "` + own + `"
args = ["-mcp"]
`}
}

// codex is Codex with one of its own models, all of which call tools from
// JavaScript.
func codex() agent {
	nested := func(code string) tool {
		return tool{tool: "functions.exec", args: args{"input": "text(JSON.stringify(await tools." + code + "))\n"}}
	}
	return agent{
		name: "codex", title: "Codex", pkg: "@openai/codex",
		files: codexModel("gpt-6-sol"),
		env:   []string{"STANDIN_KEY=none"},
		start: []string{"codex", "exec", "--skip-git-repo-check"}, says: []string{prompt},
		bypass:   []string{"--dangerously-bypass-approvals-and-sandbox"},
		drops:    [][]string{{"--disable", "hooks"}, {"-c", "features.hooks=false"}},
		install:  []string{"--trust"},
		shell:    nested(`exec_command({cmd: "$1"})`),
		write:    nested("apply_patch(`*** Begin Patch\n*** Add File: $1\n+x\n*** End Patch\n`)"),
		mcp:      nested(`mcp__shop__$1({item: "apple"})`),
		delegate: tool{tool: "collaboration.spawn_agent", args: args{"task_name": "child", "message": "$1", "fork_turns": "none"}}, background: true,
		expect: map[string]string{"nonsense": ran},
	}
}

// codexFunctions is Codex with a model that it does not know, whose calls are
// not nested.
func codexFunctions() agent {
	a := codex()
	a.name, a.as, a.title, a.files = "codex-functions", "codex", "Codex, another model", codexModel(standin.Model)
	a.shell = tool{tool: "exec_command", args: args{"cmd": "$1"}}
	a.write = tool{}
	a.mcp = tool{tool: "mcp__shop.$1", args: args{"item": "apple"}}
	a.delegate = tool{tool: "multi_agent_v1.spawn_agent", args: args{"message": "$1"}}
	return a
}

func copilot() agent {
	return agent{
		name: "copilot", title: "Copilot CLI", pkg: "@github/copilot",
		files: map[string]string{".copilot/mcp-config.json": strings.Replace(server, `"command"`, `"type": "local", "tools": ["*"], "command"`, 1)},
		env: []string{"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_BASE_URL=http://" + address + "/v1", "COPILOT_PROVIDER_API_KEY=none",
			"COPILOT_MODEL=" + standin.Model, "COPILOT_OFFLINE=true"},
		start: []string{"copilot"}, says: []string{"-p", prompt},
		bypass:   []string{"--allow-all-tools"},
		shell:    tool{tool: "bash", args: args{"command": "$1", "description": "a step"}},
		write:    tool{tool: "create", args: args{"path": "$1", "file_text": "x\n"}},
		read:     tool{tool: "view", args: args{"path": "$1"}},
		fetch:    tool{tool: "web_fetch", args: args{"url": "$1"}},
		mcp:      tool{tool: "shop-$1", args: args{"item": "apple"}},
		delegate: tool{tool: "task", args: args{"agent_type": "general-purpose", "description": "a task", "prompt": "$1", "name": "child"}},
		expect:   map[string]string{"nonsense": ran},
	}
}

func gemini() agent {
	return agent{
		name: "gemini", title: "Gemini CLI", pkg: "@google/gemini-cli",
		files: map[string]string{
			".gemini/settings.json":       strings.Replace(server, "{", `{"security": {"auth": {"selectedType": "gemini-api-key"}}, `, 1),
			".gemini/trustedFolders.json": `{"` + project + `": "TRUST_FOLDER"}`,
		},
		env:   []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=http://" + address, "GEMINI_MODEL=" + standin.Model},
		start: []string{"gemini"}, says: []string{"--yolo", "-p", prompt},
		shell:    tool{tool: "run_shell_command", args: args{"command": "$1"}},
		write:    tool{tool: "write_file", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "read_file", args: args{"file_path": "$1"}},
		fetch:    tool{tool: "web_fetch", args: args{"prompt": "read $1"}},
		mcp:      tool{tool: "mcp_shop_$1", args: args{"item": "apple"}},
		delegate: tool{tool: "invoke_agent", args: args{"agent_name": "generalist", "prompt": "$1"}},
		// It tells no mode, so that its own rules decide what is undecided. A hook
		// that is missing refuses the prompt already.
		expect: map[string]string{"undecided": ran, "missing": ended, "nonsense": ran},
	}
}

func qwen() agent {
	return agent{
		name: "qwen", title: "Qwen Code", pkg: "@qwen-code/qwen-code",
		files: map[string]string{".qwen/settings.json": strings.Replace(server, "{", `{"security": {"auth": {"selectedType": "openai"}}, "memory": {"enableManagedAutoMemory": false}, `, 1)},
		env:   []string{"OPENAI_API_KEY=none", "OPENAI_BASE_URL=http://" + address + "/v1", "OPENAI_MODEL=" + standin.Model},
		start: []string{"qwen"}, says: []string{"--yolo", "-p", prompt}, // without --yolo it offers no shell
		drops:    [][]string{{"--bare"}, {"--safe-mode"}, {"QWEN_CODE_SIMPLE=1"}, {"QWEN_CODE_SAFE_MODE=1"}},
		shell:    tool{tool: "run_shell_command", args: args{"command": "$1", "is_background": false}},
		write:    tool{tool: "write_file", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "read_file", args: args{"file_path": "$1"}},
		fetch:    tool{tool: "web_fetch", args: args{"url": "$1", "prompt": "what is it"}},
		mcp:      tool{tool: "tool_call", args: args{"name": "mcp__shop__$1", "arguments": args{"item": "apple"}}},
		delegate: tool{tool: "agent", args: args{"description": "a task", "prompt": "$1", "subagent_type": "general-purpose"}},
		expect:   map[string]string{"nonsense": ran},
	}
}

// forkOfOpenCode is what OpenCode and Kilo Code share.
func forkOfOpenCode(settings string) agent {
	return agent{
		files: map[string]string{settings: `{"model": "standin/standin", "small_model": "standin/standin", "autoupdate": false, "share": "disabled",
"provider": {"standin": {"npm": "@ai-sdk/openai-compatible", "name": "standin",
  "options": {"baseURL": "http://` + address + `/v1", "apiKey": "none"}, "models": {"standin": {"name": "standin", "tool_call": true}}}},
"mcp": {"shop": {"type": "local", "command": ["` + own + `", "-mcp"]}}}`},
		env: []string{"npm_config_fetch_retries=0"}, says: []string{prompt},
		bypass:   []string{"--auto"},
		drops:    [][]string{{"--pure"}},
		shell:    tool{tool: "bash", args: args{"command": "$1", "description": "a step"}},
		write:    tool{tool: "write", args: args{"filePath": "$1", "content": "x\n"}},
		read:     tool{tool: "read", args: args{"filePath": "$1"}},
		fetch:    tool{tool: "webfetch", args: args{"url": "$1", "format": "text"}},
		mcp:      tool{tool: "shop_$1", args: args{"item": "apple"}},
		delegate: tool{tool: "task", args: args{"description": "a task", "prompt": "$1", "subagent_type": "general"}},
	}
}

func opencode() agent {
	a := forkOfOpenCode(".config/opencode/opencode.json")
	a.name, a.title, a.pkg, a.start = "opencode", "OpenCode", "opencode-ai", []string{"opencode", "run"}
	return a
}

func kilo() agent {
	a := forkOfOpenCode(".config/kilo/kilo.json")
	a.name, a.title, a.pkg, a.start = "kilo", "Kilo Code", "@kilocode/cli@7.7.7", []string{"kilo", "run"}
	return a
}

func pi() agent {
	return agent{
		name: "pi", title: "pi", pkg: "@earendil-works/pi-coding-agent",
		files: map[string]string{".pi/agent/models.json": `{"providers": {"standin": {"baseUrl": "http://` + address + `/v1", "api": "openai-completions",
"apiKey": "none", "models": [{"id": "standin", "name": "standin", "reasoning": false, "input": ["text"],
"cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}, "contextWindow": 100000, "maxTokens": 4000}]}}}`},
		env:   []string{"PI_OFFLINE=1"},
		start: []string{"pi", "--provider", "standin", "--model", "standin"}, says: []string{"-p", prompt},
		drops: [][]string{{"--no-extensions"}},
		shell: tool{tool: "bash", args: args{"command": "$1"}},
		write: tool{tool: "write", args: args{"path": "$1", "content": "x\n"}},
		read:  tool{tool: "read", args: args{"path": "$1"}},
	}
}

func kimi() agent {
	return agent{
		name: "kimi", title: "Kimi Code", pkg: "@moonshot-ai/kimi-code",
		files: map[string]string{
			".kimi-code/config.toml": `default_model = "standin"
[providers.standin]
type = "openai"
base_url = "http://` + address + `/v1"
api_key = "none"
[models.standin]
provider = "standin"
model = "standin"
max_context_size = 100000
`,
			".kimi-code/mcp.json": server,
		},
		start: []string{"kimi"}, says: []string{"-p", prompt},
		shell:    tool{tool: "Bash", args: args{"command": "$1"}},
		write:    tool{tool: "Write", args: args{"path": "$1", "content": "x\n"}},
		read:     tool{tool: "Read", args: args{"path": "$1"}},
		fetch:    tool{tool: "FetchURL", args: args{"url": "$1"}},
		mcp:      tool{tool: "mcp__shop__$1", args: args{"item": "apple"}},
		delegate: tool{tool: "Agent", args: args{"description": "a task", "prompt": "$1", "subagent_type": "coder"}},
		expect:   map[string]string{"undecided": ran, "nonsense": ran}, // it tells no mode
	}
}

func grok() agent {
	return agent{
		name: "grok", title: "Grok Build", pkg: "@xai-official/grok",
		files:    map[string]string{".grok/config.toml": "[mcp_servers.shop]\ncommand = \"" + own + "\"\nargs = [\"-mcp\"]\n"},
		env:      []string{"GROK_MODELS_BASE_URL=http://" + address + "/v1", "XAI_API_KEY=none"},
		start:    []string{"grok", "-m", standin.Model, "--always-approve"}, // else its own question ends the run
		says:     []string{"-p", prompt},
		shell:    tool{tool: "run_terminal_command", args: args{"command": "$1", "description": "a step"}},
		write:    tool{tool: "write", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "read_file", args: args{"target_file": "$1"}},
		mcp:      tool{tool: "use_tool", args: args{"tool_name": "shop__$1", "tool_input": args{"item": "apple"}}},
		delegate: tool{tool: "spawn_subagent", args: args{"description": "a task", "prompt": "$1", "subagent_type": "general-purpose", "background": false}},
		expect:   map[string]string{"nonsense": ran},
	}
}

func cline() agent {
	return agent{
		name: "cline", title: "Cline", pkg: "cline",
		files:  map[string]string{".cline/data/settings/cline_mcp_settings.json": server},
		bypass: []string{"--yolo"},
		login:  []string{"cline", "auth", "-p", "openai", "-k", "none", "-m", standin.Model, "-b", "http://" + address + "/v1"},
		start:  []string{"cline"}, says: []string{prompt + " Begin."}, // one word would be a command
		shell: tool{tool: "run_commands", args: args{"commands": []any{"$1"}}},
		write: tool{tool: "editor", args: args{"path": "$1", "new_text": "x\n"}},
		read:  tool{tool: "read_files", args: args{"files": []any{args{"path": "$1"}}}},
		fetch: tool{tool: "fetch_web_content", args: args{"requests": []any{args{"url": "$1", "prompt": "what is it"}}}},
		mcp:   tool{tool: "shop__$1", args: args{"item": "apple"}},
		// Its hook can only end the turn.
		expect: map[string]string{
			"denied": ended, "asked": ended, "floor": ended, "edit": ended, "MCP": ended, "sub-agent": ended, "bypass": ended, "undecided": ran,
			"missing": ended, "crash": ended, "killed": ended, "nonsense": ended, "hang": ended, "broken policy": ended,
		},
	}
}

func commandcode() agent {
	return agent{
		name: "commandcode", title: "Command Code", pkg: "command-code", beside: []string{"@opentelemetry/semantic-conventions@1.38.0"},
		files: map[string]string{
			".commandcode/providers.json": `{"provider": {"standin": {"api": "openai-completions", "baseURL": "http://` + address + `/v1",
  "apiKey": false, "models": {"standin": {"name": "standin"}}}}}`,
			".commandcode/mcp.json": server,
		},
		env:   []string{"CMD_LOCAL_ONLY=1", "COMMAND_CODE_API_KEY=none", "COMMANDCODE_SKIP_UPDATES=1"},
		start: []string{"command-code", "-m", "standin/standin", "--trust", "--skip-onboarding", "--yolo"}, says: []string{"-p", prompt},
		shell:    tool{tool: "shell_command", args: args{"command": "$1"}},
		write:    tool{tool: "write_file", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "read_file", args: args{"file_path": "$1"}},
		fetch:    tool{tool: "web_fetch", args: args{"url": "$1"}},
		find:     tool{tool: "search_tools", args: args{"query": "shop"}},
		mcp:      tool{tool: "mcp__shop__$1", args: args{"item": "apple"}, deferred: true},
		delegate: tool{tool: "agent", args: args{"description": "a task", "prompt": "$1", "subagent_type": "general"}},
		// Its subagents' calls pass no hook, so that their start is denied.
		expect: map[string]string{"sub-agent": untried, "floor": ended},
	}
}

func droid() agent {
	return agent{
		name: "droid", title: "Factory Droid", pkg: "droid",
		files: map[string]string{
			".factory/settings.json": `{"customModels": [{"model": "standin", "displayName": "standin", "baseUrl": "http://` + address + `/v1",
  "apiKey": "none", "provider": "generic-chat-completion-api", "maxOutputTokens": 4000}]}`,
			".factory/mcp.json": server,
			"off.json":          `{"hooks": {"hooksDisabled": true}}`,
		},
		env:   []string{"FACTORY_AIRGAP_ENABLED=true", "FACTORY_DISABLE_KEYRING=1", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false"},
		start: []string{"droid", "exec", "--skip-permissions-unsafe", "-m", "custom:standin-0"}, says: []string{prompt},
		shell:    tool{tool: "Execute", args: args{"command": "$1", "summary": "a step", "timeout": 20, "riskLevelReason": "none", "riskLevel": "low"}},
		write:    tool{tool: "Create", args: args{"file_path": "$1", "content": "x\n"}},
		read:     tool{tool: "Read", args: args{"file_path": "$1"}},
		fetch:    tool{tool: "FetchUrl", args: args{"url": "$1"}},
		mcp:      tool{tool: "shop___$1", args: args{"item": "apple"}},
		drops:    [][]string{{"--settings", home + "/off.json"}, {"FACTORY_RUNTIME_SETTINGS_PATH=" + home + "/off.json"}},
		find:     tool{tool: "ToolSearch", args: args{"query": "shop", "max_results": 5}},
		delegate: tool{tool: "Task", args: args{"description": "a task", "prompt": "$1", "subagent_type": "worker"}},
		expect:   map[string]string{"undecided": ran, "nonsense": ran}, // it tells no mode of a run without a person
	}
}
