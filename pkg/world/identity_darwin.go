package world

import "syscall"

func identityOf(s *syscall.Stat_t) identity {
	return identity{int64(s.Dev), int64(s.Ino), s.Size, s.Mtimespec.Nano(), s.Ctimespec.Nano()}
}
