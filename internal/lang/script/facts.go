package script

import (
	"github.com/policyctl/policyctl/internal/program"
)

// An Act is what a call does.
type Act uint8

const (
	noAct      Act = iota
	Deletes        // removes what its values name
	Moves          // moves its first value
	Writes         // changes what its values name
	Runs           // runs a program: its words, or one text that is a line for a shell
	Alters         // changes the modes or owners of all below what its values name
	Kills          // sends signals to the processes that its values name
	Forks          // forks its own process
	ChangesDir     // works in its value from then on
	Evaluates      // evaluates its value in the same language
	Loads          // evaluates the file that its value names
	Reads          // reads the file that its value names
	Decodes        // decodes its value
	Encodes        // encodes its value
	Requests       // asks the URL that its first value names, by a method
	Sends          // sends its values to another host
	Connects       // opens a connection to its values
	opens          // opens its first value, for writing where a mode says so
	copies         // writes its last value
	does           // does what its first value names, or the last
	feeds          // writes its values to a program that is run
)

// Changes reports whether a call that does so changes what its values name.
func (a Act) Changes() bool { return a == Writes || a == Deletes || a == Moves }

// A fact is what calls do.
type fact struct {
	// names are the last names of the calls, blanks between. of are the names
	// before it: where there are some, one of them must be there, except where
	// there is none at all.
	names, of string
	// dotted says that there must be a name before it, in languages that are known.
	dotted bool
	// in is the language, where it is of one alone.
	in  program.Language
	act Act
	// argv says that it takes words and no line, unless it is told to; detached,
	// that it does not wait for what it runs.
	argv, detached bool
	// first says that its other values are no paths.
	first bool
}

// files are the modules and types whose methods are about files. Names that
// texts often have, such as path, are none of them.
const files = "os shutil pathlib File Dir FileUtils Files fs fsp fse fsPromises promises Deno fs/promises fs-extra shelljs Path PosixPath Pathname posix"

// clients are what libraries for HTTP, and what they make, are called.
const clients = "requests httpx aiohttp axios got ky http https urllib3 client session Session Client HTTP Net HTTParty RestClient Faraday LWP UserAgent ua superagent URI request"

// facts are the calls that are known. Of several rows with a name, the first
// counts.
var facts = []fact{
	{act: Evaluates, names: "exec compile timeit runsource", in: program.Python},
	{act: Evaluates, names: "load", in: program.Lua},
	{act: Deletes, names: "rmtree removedirs rmdirSync rmSync removeSync unlinkSync remove_tree rm_rf rm_r rm_f remove_dir remove_dir_all remove_entry remove_entry_secure remove_file emptyDir emptyDirSync removeItem delete-directory delete-file delete-tree removeDirectoryRecursive removePathForcibly rm_rf! rm! deleteDir deleteDirectory RemoveAll rimraf rimrafSync deleteSync removeDirectory unlink rmdir deleteRecursively delete-directory-tree deltree dir_delete file_delete remove_directory delete-directory/files send2trash rm_rf_safe"},
	{act: Deletes, names: "remove rm", of: files + " file shell sh rimraf del"},
	{act: Deletes, names: "delete", of: files + " rimraf del Bun fn", dotted: true},
	{act: Deletes, names: "removeFile del_dir del_dir_r", of: files + " file"},
	{act: Deletes, names: "sync all", of: "rimraf del remove"},
	{act: Deletes, names: "del deleteAsync", in: program.JavaScript},
	{act: Deletes, names: "remove", of: "Filesystem", in: program.PHP},
	{act: Moves, names: "rename renames renameSync move moveSync mv link linkSync", of: files + " file"}, // a link is a second name of the file
	{act: Moves, names: "rename-file rename-directory renameDirectory renameFile rename!"},
	{act: Moves, names: "replace", of: "os Path PosixPath", dotted: true},
	{act: Runs, names: "exec", of: "child_process cp", in: program.JavaScript, detached: true},
	{act: Runs, names: "execFile", in: program.JavaScript, argv: true, detached: true},
	{act: Runs, names: "system exec execSync popen popen2 popen3 getoutput getstatusoutput shell_exec passthru proc_open capture2 capture2e capture3 pipeline create_subprocess_shell execa execaSync execaCommand backtick execute qx ` $ getline print| open| system2 readpipe open2 open3"},
	{act: Runs, names: "sync", of: "cross-spawn", argv: true},
	{act: Runs, names: "spawn Popen", argv: true, detached: true},
	{act: Runs, names: "run call check_call check_output subprocess spawnSync spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe execFile execFileSync execv execvp execve execvpe execl execlp execle posix_spawn posix_spawnp pcntl_exec create_subprocess_exec Command job_start jobstart termopen start-process-shell-command async-shell-command process-lines", argv: true},
	{act: Runs, names: "do script", in: program.AppleScript},
	{act: Runs, names: "cmd sh shell command execute callCommand run-program shell-command call-process start-process doShellScript shell-command-to-string systemlist executeShell callProcess os/shell"},
	{act: Evaluates, names: "eval Function loadstring instance_eval class_eval module_eval execScript runInNewContext runInThisContext setTimeout"},
	{act: Evaluates, names: "Script", in: program.JavaScript},
	{act: Evaluates, names: "assert create_function", in: program.PHP},
	{act: Loads, names: "run_path run_module __import__ execfile require require_relative require_once include include_once dofile loadfile do import_module"},
	{act: Loads, names: "load", in: program.Ruby},
	{act: Writes, first: true, names: "writeFile writeFileSync WriteFile appendFile appendFileSync createWriteStream file_put_contents write_text write_bytes outputFile outputFileSync writeTextFile writeTextFileSync print> spew"},
	{act: Writes, first: true, names: "output", of: "io", in: program.Lua},
	{act: Writes, names: "writefile"},
	{act: Writes, first: true, names: "write_file", of: "file"},
	{act: Writes, first: true, names: "with-temp-file write! spit call-with-output-file open-output-file write-file set-file-modes spurt open_out open_out_bin with-output-to-file FileOutputStream FileWriter PrintWriter writeText writeBytes writeString appendText appendBytes withWriter withOutputStream newWriter newOutputStream outputStream createFile"},
	{act: Writes, names: "writer", of: "Bun"},
	{act: Writes, first: true, names: "write binwrite", of: "File IO Bun Path Pathname Files"},
	{act: Writes, first: true, names: "append over", of: "File write", dotted: true},
	{act: Writes, names: "truncate truncateSync chmod chmodSync chown chownSync lchown symlink symlinkSync symlink_to link linkSync hardlink_to touch utime utimes utimesSync"},
	{act: opens, names: "open open-file fopen openSync sysopen Open FileIO SplFileObject"},
	{act: opens, names: "new", of: "File"},
	{act: copies, names: "copy copy2 copyfile copytree copyFile copyFileSync cpSync cp cp_r copySync copy_file copy_stream install ln_s copy-file write-region append-to-file writeLines writeBin display-to-file"},
	{act: Kills, names: "kill killpg posix_kill killSync pskill"},
	{act: Alters, names: "chmod_R chown_R chgrp_R"},
	{act: Forks, names: "fork pcntl_fork"},
	{act: ChangesDir, names: "chdir chroot cd pushd set_current_dir"},
	{act: Reads, names: "read_text read_bytes readFile readFileSync readTextFile readTextFileSync file_get_contents createReadStream readAllText slurp readfile show_source highlight_file parse_ini_file readLines readRDS getline<"},
	{act: Reads, names: "read readlines binread lines", of: "File IO io"},
	{act: Reads, names: "foreach", of: "File IO", in: program.Ruby},
	{act: Reads, names: "file", in: program.PHP},
	{act: Reads, names: "csv table delim", of: "read"},
	{act: Decodes, names: "b64decode decodebytes decode_base64 a2b_base64 unhexlify a2b_hex base64_decode decode64 strict_decode64 urlsafe_decode64 urlsafe_b64decode standard_b64decode atob"},
	{act: Decodes, names: "decode from", of: "base64 codecs Buffer Base64", dotted: true},
	{act: Encodes, names: "b64encode encodebytes encode_base64 base64_encode encode64 strict_encode64 urlsafe_encode64 urlsafe_b64encode btoa hexlify"},
	{act: Requests, names: "urlopen urlretrieve getstore getprint curl_init curl_setopt Request"},
	{act: Requests, names: "get post put patch delete head request", of: clients, dotted: true},
	{act: Requests, names: "get head", in: program.Perl},
	{act: Requests, names: "fetch axios got ky", of: "window globalThis self global"},
	{act: Requests, names: "new", of: "Get Post Put Patch Delete"},
	{act: Sends, names: "sendall sendto storbinary storlines sendmail send_message upload_file upload_fileobj put_object"},
	{act: Connects, names: "fsockopen pfsockopen stream_socket_client TCPSocket"},
	{act: Connects, names: "connect create_connection createConnection open new", of: "socket net Socket TCPSocket INET"},
	{act: feeds, names: "write puts print communicate end writelines", of: "Popen spawn popen popen2 popen3 popen2e capture2 IO", dotted: true},
	{act: feeds, names: "fwrite fputs", in: program.PHP},
	{act: does, names: "send __send__ public_send method call_user_func call_user_func_array getattr funcall array_map array_walk array_filter register_shutdown_function"},
}

// factOf returns that of the facts about a name which holds with the names that
// may stand before it; nil where none does.
func factOf(facts []*fact, objects []string, in program.Language) *fact {
	for _, f := range facts {
		if f.in != program.NoLanguage && f.in != in {
			continue
		}
		if (f.act == Runs || f.act == Evaluates) && len(objects) > 0 && matches(objects) {
			return nil
		}
		if f.of == "" || len(objects) == 0 && (!f.dotted || in == program.NoLanguage) {
			return f
		}
		for _, o := range objects {
			if program.HasWord(f.of, o) {
				return f
			}
		}
	}
	return nil
}

// matches reports whether the names before a call are those of something that
// runs no programs.
func matches(objects []string) (found bool) {
	for _, o := range objects {
		if isOneOf(o, starters) {
			return false
		}
		found = found || isOneOf(o, matchers)
	}
	return found
}
