package program

// opaque are programs of whose arguments nothing is known, but some facts are.
var opaque = []*Program{
	// What changes the shell, or arranges something in it.
	{Names: "alias unalias export declare typeset local readonly unset shopt setopt enable complete bind fc history getopts select coproc", Opaque: true, NoGrant: "*"},
	// Languages, and what starts programs.
	{Names: "kotlin scala groovy dotnet rscript r octave gnuplot m4 julia tclsh wish expect guile racket ghci runghc elixir iex erl swift dart", Opaque: true, NoGrant: "*"},
	{Names: "uvx launchctl service forever npm-run-all run-s run-p", Opaque: true, NoGrant: "*"},
	// Clients of the web, and browsers.
	{Names: "http https xh xhs curlie wget2 hurl grpcurl aria2c httpie restish oha bombardier ab hey wrk siege vegeta k6 lwp-request axel newman fetch", Opaque: true, Network: "*"},
	{Names: "lynx links elinks w3m open xdg-open chromium chromium-browser google-chrome firefox", Opaque: true, Network: "*"},
	{Names: "gnutls-cli ftp lftp whois nmap", Opaque: true, Network: "*"},
	// Forges, clouds, and what copies to them.
	{Names: "glab hub gsutil doctl flyctl fly heroku vercel netlify wrangler firebase supabase pulumi ansible ansible-playbook rclone skopeo oras cosign ngrok cloudflared", Opaque: true, Network: "*"},
	// Package managers.
	{Names: "zypper port flatpak nix-env gem twine", Opaque: true, Network: "*"},
	{Names: "composer", Opaque: true, NoGrant: "exec,global,run-script", Network: "install,update,require,create-project"},
	{Names: "mix", Opaque: true, NoGrant: "run,eval", Network: "deps.get,archive.install"},
	{Names: "opam", Opaque: true, NoGrant: "exec", Network: "install,update,upgrade"},
	{Names: "stack", Opaque: true, NoGrant: "exec,runghc,ghci", Network: "upgrade"},
	{Names: "cabal", Opaque: true, NoGrant: "exec,repl", Network: "install,update"},
	{Names: "dune", Opaque: true, NoGrant: "exec"},
	{Names: "rails", Opaque: true, NoGrant: "runner,console"},
	{Names: "pod", Opaque: true, Network: "install,update"},
	{Names: "zig", Opaque: true, Network: "fetch"},
	{Names: "jj", Opaque: true, Network: "git"},
}
