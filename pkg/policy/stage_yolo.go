package policy

import "slices"

// unasked reports whether asks would not reach anybody: under yolo and skip.
func (r *run) unasked() bool {
	return r.yoloOn() || r.e.settings.Mode == Skip
}

func (r *run) yoloOn() bool {
	return r.e.settings.Yolo || r.replies.session != nil && r.replies.session.Yolo
}

// yolo is stage 3. What a bundle or the managed policy asks, it does not answer.
func (r *run) yolo() (*opinion, error) {
	if !r.yoloOn() || slices.ContainsFunc(r.replies.list, func(a reply) bool { return a.Decision == Ask && a.Binding }) {
		return nil, nil
	}
	if f, err := r.guard.find(r); err != nil || f.Loop {
		return nil, nil // doom_loop says so
	}
	return r.say(opinion{decision: Allow, why: "yolo is on"}), nil
}
