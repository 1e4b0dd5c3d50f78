package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

func containerRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "container-prune", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "removes every unused image, container, network or volume, including those of other projects",
			Instead: "List what is there (`docker ps -a`, `docker volume ls`) and remove what belongs to this project by name.",
			Match:   match(sub("system prune", "volume prune", "image prune", "container prune", "network prune", "builder prune", "buildx prune", "system reset", "pod prune", "machine reset")),
			Hit:     []string{"docker system prune -af --volumes", "docker volume prune -f", "podman system prune", "docker image prune -a", "docker container prune"},
			Miss:    []string{"docker system df", "docker volume ls", "docker images", "git prune -n"},
		},
		{
			ID: "container-volume-remove", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "deletes volumes and their data",
			Instead: "Leave the volume in place, or export its data and ask the user.",
			Match:   match(either(sub("volume rm", "volume remove"), both(sub("rm", "container rm"), option("volumes")))),
			Hit:     []string{"docker volume rm app_db", "podman volume rm -f a b", "docker rm -v web"},
			Miss:    []string{"docker volume ls", "docker volume create a", "docker rm web", "docker volume inspect rm"},
		},
		{
			ID: "container-force-remove", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "removes containers or images that are in use",
			Instead: "Stop the container of this project by name, then remove it without -f.",
			Match:   match(sub("rm", "rmi", "container rm", "image rm", "image remove", "container remove", "pod rm", "machine rm"), option("force")),
			Hit:     []string{"docker rm -f web", "docker rmi -f app:1", "docker container rm --force web", "podman rm -fa"},
			Miss:    []string{"docker rm web", "docker rmi app:1", "docker run --rm app", "docker build --force-rm ."},
		},
		{
			ID: "container-remove-all", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "stops or removes all containers, including those of other projects",
			Instead: "Name the containers of this project.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				if !sub("rm", "stop", "kill", "rmi", "container rm", "container stop", "container kill", "image rm", "volume rm")(c) || c.Function {
					return span{}, false
				}
				return c.Span, c.Args.Has("a", "all") || inserts(s, c, c.Span, listsContainers) || feeds(s, c, listsContainers)
			},
			Hit:  []string{"docker rm $(docker ps -aq)", "docker stop $(docker ps -q)", "docker ps -q | xargs docker kill", "podman stop -a", "docker rmi $(docker images -q)"},
			Miss: []string{"docker stop web", "docker ps -q", "docker logs $(docker ps -q -f name=web)", "echo $(docker ps -q)", "docker stop $(cat web.id)"},
		},
		{
			ID: "compose-down-volumes", Class: "container", Kind: "removes-volumes",
			Why:     "deletes the volumes of a project and their data",
			Instead: "Run `docker compose down` without -v, which keeps the volumes.",
			Match:   match(acts("removes-volumes")),
			Hit:     []string{"docker compose down -v", "docker-compose down --volumes", "docker compose -f dev.yml down --volumes --remove-orphans", "docker compose rm -v"},
			Miss:    []string{"docker compose down", "docker-compose up -d", "docker compose logs -f", "docker-compose -v"},
		},
		{
			ID: "container-stack-remove", Class: "container", Kind: "changes-swarms",
			Why:     "removes services, nodes or secrets of a swarm, or everything that a file describes",
			Instead: "List what is there (`docker stack ps`, `docker node ls`), and ask the user to remove it.",
			Match:   match(either(both(not(dry), acts("changes-swarms")), both(verbs("service scale"), setsZero), both(verbs("service update --replicas"), setsZero))),
			Hit:     []string{"docker swarm leave --force", "docker stack rm app", "docker --context prod service rm web", "docker service scale web=0", "docker node rm n1", "docker secret rm s", "podman kube down app.yaml"},
			Miss:    []string{"docker stack ls", "docker service ls", "docker service scale web=3", "docker node inspect n1", "docker context ls", "podman kube play app.yaml"},
		},
		{
			ID: "container-privileged", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "starts a container with root's rights on the host",
			Instead: "Start it without --privileged and add the one capability or device that it needs, after asking the user.",
			Match: match(sub("run", "create", "container run", "container create", "exec", "container exec"), either(option("privileged"), optionIs("cap-add", is("ALL", "all", "SYS_ADMIN", "CAP_SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH")),
				optionIs("pid", is("host")), optionIs("userns", is("host")), optionIs("uts", is("host")), optionIs("security-opt", contains("unconfined", "no-new-privileges=false", "label=disable", "label:disable")), option("device"))),
			Hit:  []string{"docker run --privileged -it alpine", "docker run --cap-add=SYS_ADMIN app", "podman run --pid host app", "docker exec --privileged web sh", "docker run --device /dev/sda app"},
			Miss: []string{"docker run -it alpine", "docker run --cap-drop ALL app", "docker run alpine echo --privileged", "docker run --network host app"},
		},
		{
			ID: "container-host-mount", Class: "container", Programs: program.Names(program.IsEngine),
			Why:     "gives a container the host's root directory, the engine's socket, or a path that holds secrets or runs code",
			Instead: "Mount only the project directory, such as -v \"$PWD:/app\".",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				if !sub("run", "create", "container run", "container create", "compose run")(c) || c.Function {
					return span{}, false
				}
				mounts := func(v string) bool { return isHostPlace(s, c, v) }
				return c.Span, either(optionIs("volume", mounts), optionIs("mount", mounts))(c)
			},
			Hit:  []string{"docker run -v /:/host alpine", "docker run -v /var/run/docker.sock:/var/run/docker.sock app", "docker run --mount type=bind,source=/etc,target=/e app", "podman run -v ~/.ssh:/root/.ssh:ro app", "docker run -v $HOME:/h app"},
			Miss: []string{"docker run -v $PWD:/app app", "docker run -v data:/var/lib/db db", "docker run --mount type=volume,source=a,target=/etc app", "docker run -v ./src:/src app", "docker run -v /etc/localtime:/etc/localtime:ro app", "docker run app ls -v /:/host"},
		},
	}
}

// listsContainers holds for a command that prints the ids of all containers
// or images.
func listsContainers(c *cmd) bool {
	return c.Is(program.IsEngine) && sub("ps", "images", "container ls", "container list", "image ls", "volume ls")(c) && c.Args.Has("quiet") && !c.Args.Has("filter")
}

// isHostPlace reports whether what -v or --mount mounts is a place of the host
// that a container should not reach. What is mounted read-only can leak only.
func isHostPlace(s *hazard.Scene, c *cmd, mount string) bool {
	source, readOnly := mountSource(mount)
	if !strings.HasPrefix(source, ".") && !strings.Contains(source, "/") {
		return false // the name of a volume
	}
	role := sensitive.Secret | sensitive.Trigger
	if readOnly {
		role = sensitive.Secret
	}
	if hasSuffix("docker.sock", "podman.sock", "containerd.sock")(source) {
		return true
	}
	_, ok := tree(s, c.Dir, source, role)
	return ok
}

// mountSource returns the host's part of what is mounted: of the form
// SOURCE:TARGET[:OPTIONS], or of type=bind,source=SOURCE,target=TARGET.
func mountSource(mount string) (source string, readOnly bool) {
	if !strings.Contains(mount, "type=") {
		source, rest, ok := strings.Cut(mount, ":")
		_, options, _ := strings.Cut(rest, ":")
		if !ok {
			return "", false
		}
		return source, slices.Contains(strings.Split(options, ","), "ro")
	}
	if !strings.Contains(mount, "type=bind") {
		return "", false
	}
	for field := range strings.SplitSeq(mount, ",") {
		switch key, value, _ := strings.Cut(field, "="); key {
		case "source", "src":
			source = value
		case "readonly", "ro":
			readOnly = value != "false"
		}
	}
	return source, readOnly
}
