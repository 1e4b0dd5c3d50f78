// Package config reads policy files, strict YAML, TOML or JSON, into [policy.Settings].
//
// [Load] reads all layers of a policy at once: files, and assignments of the
// environment or a command line ([Assign]). Whatever is not understood is a
// [Problem] with its place and the nearest valid name, and one problem is
// enough for none of the policy to apply. What a layer may not set has no
// effect and is reported as [Assignment.Held].
//
// The package opens no file and reads no environment: a [File] carries its
// bytes. It judges no call.
package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A File is one policy file, or one assignment.
type File struct {
	// Layer is where the file ranks, such as [User]; it becomes the layer of
	// each [policy.Origin].
	Layer string
	// Name is what people are shown.
	Name string
	Data []byte
	// Admit is what the file may change.
	Admit Admission
	// Bundle is the name of the bundle that holds the file, "" for none: the
	// ids of its rules are then BUNDLE/ID.
	Bundle string
	// Prepared is the file as it was read before, of the same Data, or nil. Its
	// rules are not among the assignments.
	Prepared *Prepared

	assigns bool // Data is KEY=VALUE
}

// A Loaded is the effective policy of some files. The zero value holds the
// strictest settings.
type Loaded struct {
	Settings policy.Settings
	// Rules are the rules that apply, by layer, lowest first.
	Rules []LayerRules
	// Bundles are what the policy subscribes to, in the order of the files.
	Bundles []BundleSource
	// Service is where asks are taken.
	Service Service
	// Revision is the SHA-256 of the files and their layers in hexadecimal; ""
	// where the policy could not be loaded.
	Revision string
	// Warnings are what is accepted but probably not meant.
	Warnings Problems
	// Assignments are all keys that the files assign, in order.
	Assignments []Assignment
}

// Load reads files in order onto base, which it does not change. A later file
// overrides what is a single value; lists, permissions and the entries of
// maps accumulate.
//
// The error is of type [Problems] and holds all errors of all files; the
// settings are then zero, but the warnings stand. Files that are
// prepared are read in full where their forms do not do.
func Load(base policy.Settings, files ...File) (Loaded, error) {
	loaded, err := decode(base, files)
	if !errors.Is(err, errInFull) {
		return loaded, err
	}
	whole := slices.Clone(files)
	for i := range whole {
		whole[i].Prepared = nil
	}
	return decode(base, whole)
}

func decode(base policy.Settings, files []File) (Loaded, error) {
	s := newDraft(base)
	if !unmanaged(files) {
		s.Undecided = policy.UndecidedAsk
	}
	decoders := make([]*decoder, len(files))
	left := maxExpressions
	for i, f := range files {
		decoders[i] = newDecoder(f)
		if f.Layer == Project {
			decoders[i].left = &left
		}
		if f.assigns {
			decoders[i].assignment(string(f.Data), s)
			continue
		}
		if f.Prepared == nil {
			decoders[i].file(f.Data, s)
			continue
		}
		decoders[i].file(f.Prepared.rest, s)
		if err := s.prepared(&files[i]); err != nil {
			return Loaded{}, err
		}
	}
	if err := s.checkForms(); err != nil {
		return Loaded{}, err
	}
	errs, warnings := s.finish(base.Tools, decoders...)
	if len(errs) > 0 {
		return Loaded{Warnings: warnings}, errs
	}
	return Loaded{s.Settings, s.layered(), s.bundles, s.service, revision(files), warnings, s.assignments}, nil
}

// meaning is part of every revision: raise it when the same bytes come to mean
// something else.
const meaning = "policyctl policy 1\n"

func revision(files []File) string {
	h := sha256.New()
	h.Write([]byte(meaning))
	for _, f := range files {
		fmt.Fprintf(h, "%q %d %d %t\n", f.Layer, f.Admit, len(f.Data), f.assigns)
		h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}
