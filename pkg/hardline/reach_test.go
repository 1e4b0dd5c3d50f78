package hardline_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/hardline"
)

// TestReachesProtected tries programs that write or take away a protected path by an
// option, a verb, a property or code of their own, and what only looks so.
func TestReachesProtected(t *testing.T) {
	for _, line := range []string{
		"aws s3 cp s3://b/policy.yaml ~/.config/policyctl/policy.yaml",
		"aws s3 sync s3://b/x ~/.config/policyctl",
		"aws s3 mv ~/.config/policyctl/policy.yaml s3://b/k",
		"aws s3api get-object --bucket b --key k ~/.config/policyctl/policy.yaml",
		"gsutil -m cp gs://b/policy.yaml ~/.config/policyctl/policy.yaml",
		"gsutil mv ~/.config/policyctl gs://b/",
		"gcloud storage cp gs://b/k ~/.config/policyctl/policy.yaml",
		"az storage blob download -c c -n n --file ~/.config/policyctl/policy.yaml",
		"az storage blob download-batch -s c -d ~/.config/policyctl",
		"azcopy copy https://x/y ~/.config/policyctl/policy.yaml",
		"mc cp play/b/policy.yaml ~/.config/policyctl/policy.yaml",
		"s3cmd get --force s3://b/k ~/.config/policyctl/policy.yaml",
		"s5cmd cp s3://b/k ~/.config/policyctl/policy.yaml",
		"ssh-keygen -f ~/.config/policyctl/policy.yaml",
		"ssh-keygen -t ed25519 -f ~/.config/policyctl/policy.yaml -N ''",
		"pax -wf ~/.config/policyctl/policy.yaml x",
		"cd ~/.config/policyctl && pax -r -f x.pax",
		"restic restore latest --target ~/.config/policyctl",
		"restic -r r dump latest /x --target ~/.config/policyctl/policy.yaml",
		"cd ~/.config/policyctl && borg extract r::a",
		"cd / && borg extract r::a home/dev/.config/policyctl",
		"kopia restore k1 ~/.config/policyctl",
		"kopia snapshot restore k1 ~/.config/policyctl",
		"duplicity restore file:///b ~/.config/policyctl",
		"duplicity --force file:///b ~/.config/policyctl",
		"rdiff-backup --force -r now b ~/.config/policyctl",
		"python3 -m tarfile -c ~/.config/policyctl/policy.yaml x",
		"python3 -m json.tool x.json ~/.config/policyctl/policy.yaml",
		"python3 -m venv ~/.config/policyctl",
		"python3 -m pip install -t ~/.config/policyctl x",
		"python3 -m zipapp x -o ~/.config/policyctl/policy.yaml",
		"python3 -m cProfile -o ~/.config/policyctl/policy.yaml x.py",
		"g++ -MF ~/.config/policyctl/policy.yaml -MD -c x.cc",
		"cmake -S . -B ~/.config/policyctl",
		"cmake --install build --prefix ~/.config/policyctl",
		"cmake -E copy x ~/.config/policyctl/policy.yaml",
		"screen -L -Logfile ~/.config/policyctl/policy.yaml -dm true",
		"tmux save-buffer ~/.config/policyctl/policy.yaml",
		"systemd-run --user -p StandardOutput=truncate:/home/dev/.config/policyctl/policy.yaml echo x",
		"systemd-run --property=StandardError=append:/home/dev/.config/policyctl/policy.yaml cat x",
		"debugfs -R 'dump /x /home/dev/.config/policyctl/policy.yaml' img",
		"debugfs -R 'rdump / /home/dev/.config/policyctl' img",
		"file-rename 's/x/y/' /home/dev/.config/policyctl/policy.yaml",
		"mmv '/home/dev/.config/policyctl/*.yaml' '/tmp/#1'",
		"zmv '/home/dev/.config/policyctl/(*).yaml' '/tmp/$1'",
		"btrfs restore /dev/sda1 /home/dev/.config/policyctl",
		"g++ -c -MMD -MF ~/.config/policyctl/policy.yaml x.cc",
		"clang++ -MJ ~/.config/policyctl/policy.yaml x.cc",
		"cmake -E copy_directory x ~/.config/policyctl",
		"gcloud storage mv ~/.config/policyctl gs://b/",
		"azcopy copy 'https://x/y?sig=a' ~/.config/policyctl --recursive",
		"borg export-tar r::a ~/.config/policyctl/policy.yaml",
		"duplicity restore -t now file:///b ~/.config/policyctl",
		"rdiff-backup restore b ~/.config/policyctl",
		`vim +'call rename("/home/dev/.config/policyctl/policy.yaml","x")' +q`,
		"python -m tarfile --extract x.tar ~/.config/policyctl",
		"python3 -mjson.tool x.json ~/.config/policyctl/policy.yaml",
		"python3 -m pip download -d ~/.config/policyctl x",
		"python3 -m trace --count -C ~/.config/policyctl x.py",
		"aws s3 cp --recursive s3://b ~/.config/policyctl/",
		"awslocal s3 cp s3://b/k ~/.config/policyctl/policy.yaml",
		"gcloud --project p storage cp gs://b/k ~/.config/policyctl/policy.yaml",
		"borg extract --progress r::a; cd ~/.config/policyctl; borg extract r::b policy.yaml",
		"cmake -B build -DCMAKE_INSTALL_PREFIX=x --graphviz=/home/dev/.config/policyctl/policy.yaml",
		"cmake -E make_directory ~/.config/policyctl/x",
		"tmux saveb -a ~/.config/policyctl/policy.yaml",
		"systemd-run --user --pty -p StandardOutput=append:/home/dev/.config/policyctl/policy.yaml bash",
		`vim -es -c 'call writefile(["x"], "/home/dev/.config/policyctl/policy.yaml")' -c q`,
		`emacs -Q --batch --eval '(write-region "x" nil "/home/dev/.config/policyctl/policy.yaml")'`,
		`emacs --batch --eval '(delete-file "~/.config/policyctl/policy.yaml")'`,
		"python3 -m zipfile -e x.zip ~/.config/policyctl",
		"python3 -m tarfile -e x.tar ~/.config/policyctl",
		`emacs --batch --eval '(append-to-file "x" nil "~/.config/policyctl/policy.yaml")'`,
		`emacs --batch --eval '(copy-file "x" "~/.config/policyctl/policy.yaml" t)'`,
		`Rscript -e 'writeLines("x", "/home/dev/.config/policyctl/policy.yaml")'`,
		`Rscript -e 'file.remove("/home/dev/.config/policyctl/policy.yaml")'`,
		`elixir -e 'File.write!("/home/dev/.config/policyctl/policy.yaml", "x")'`,
		`php ./artisan tinker --execute='file_put_contents("/home/dev/.config/policyctl/policy.yaml", "x");'`,
		`emacs --batch --eval '(with-temp-buffer (insert "x") (write-file "~/.config/policyctl/policy.yaml"))'`,
		`emacs --batch --eval '(set-file-modes "~/.config/policyctl/policy.yaml" 0)'`,
		`sbcl --eval '(delete-file "/home/dev/.config/policyctl/policy.yaml")'`,
		`guile -c '(delete-file "/home/dev/.config/policyctl/policy.yaml")'`,
		`bb -e '(spit "/home/dev/.config/policyctl/policy.yaml" "x")'`,
		`ghc -e 'removeFile "/home/dev/.config/policyctl/policy.yaml"' x.hs`,
		`raku -e 'unlink "/home/dev/.config/policyctl/policy.yaml"'`,
	} {
		if f, ok := hardline.Match(scene(line)); !ok || f.Rule.ID != "self-protection" {
			t.Errorf("not protected (%s): %s", id(f), line)
		}
	}
	for _, line := range []string{
		"aws s3 sync ~/.config/policyctl s3://backup/x",
		"aws s3 cp ~/.config/policyctl/policy.yaml s3://b/k",
		"az storage blob upload -c c -n n -f ~/.config/policyctl/policy.yaml",
		"s3cmd put ~/.config/policyctl/policy.yaml s3://b",
		"ssh-keygen -lf ~/.config/policyctl/policy.yaml",
		"python3 -m zipfile -c x.zip ~/.config/policyctl/policy.yaml",
		"python3 -m json.tool ~/.config/policyctl/policy.yaml",
		"rename -n 's/x/y/' ~/.config/policyctl/policy.yaml",
		"cmake -E copy ~/.config/policyctl/policy.yaml backup.yaml",
		"az storage file upload -s s --source ~/.config/policyctl/policy.yaml",
		"systemd-run --property=StandardInput=file:/home/dev/.config/policyctl/policy.yaml cat",
		"python3 -m json.tool ~/.config/policyctl/policy.yaml out.json",
		`elixir -e 'File.read!("/home/dev/.config/policyctl/policy.yaml")'`,
		`emacs --batch --eval '(copy-file "~/.config/policyctl/policy.yaml" "x" t)'`,
		`emacs --batch --eval '(find-file "~/.config/policyctl/policy.yaml")'`,
	} {
		if f, ok := hardline.Match(scene(line)); ok {
			t.Errorf("denied by %s: %s", id(f), line)
		}
	}
}
