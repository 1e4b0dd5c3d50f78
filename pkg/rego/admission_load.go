package rego

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown/cache"
	"github.com/open-policy-agent/opa/v1/types"
)

// A loader compiles the modules of one admission.
type loader struct {
	modules  []Module
	trees    map[string]*ast.Module
	data     map[string]any // what the store was made of
	store    storage.Store
	compiler *ast.Compiler
	// prints keeps the calls of print, which are left out otherwise.
	prints bool
}

func (l *loader) load(data map[string]any) error {
	if err := l.parse(); err != nil {
		return err
	}
	if err := l.checkAnswers(); err != nil {
		return err
	}
	if err := l.keep(data); err != nil {
		return err
	}
	if err := l.compile(); err != nil {
		return err
	}
	return l.checkTypes()
}

// parse reads a module with the annotations in its comments.
func parse(m Module) (*ast.Module, error) {
	tree, err := ast.ParseModuleWithOpts(m.Name, m.Source, ast.ParserOptions{
		Capabilities: Capabilities(), ProcessAnnotation: true, RegoVersion: ast.RegoV1,
	})
	if err == nil && tree == nil {
		return nil, fmt.Errorf("%s: the module is empty: it begins with package %s", m.Name, AdmissionPackage)
	}
	return tree, explained(err)
}

func (l *loader) parse() error {
	l.trees = make(map[string]*ast.Module, len(l.modules))
	var errs []error
	for i, m := range l.modules {
		if m.Name == "" {
			errs = append(errs, fmt.Errorf("module %d has no name: errors could not say where they are", i))
			continue
		}
		if _, ok := l.trees[m.Name]; ok {
			errs = append(errs, fmt.Errorf("%s: two modules have this name: give each its own", m.Name))
			continue
		}
		tree, err := parse(m)
		l.trees[m.Name] = tree
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// checkAnswers reports whether there are rules that answer, and none of them is a
// function.
func (l *loader) checkAnswers() error {
	found := false
	var errs []error
	for _, m := range l.modules {
		for _, r := range answering(l.trees[m.Name]) {
			found = true
			if len(r.Head.Args) > 0 {
				errs = append(errs, fmt.Errorf("%s: %s is a function: %s", place(r.Location), r.Head.Name, writeAnswers))
			}
		}
	}
	if !found {
		return fmt.Errorf("the package %s has no rule deny, ask or allow (Rego modules read: %d): %s", AdmissionPackage, len(l.modules), writeAnswers)
	}
	return errors.Join(errs...)
}

// keep makes a store of a copy of the base documents.
func (l *loader) keep(data map[string]any) error {
	base := any(map[string]any{})
	if data != nil {
		var err error
		if base, err = jsonValue(data); err != nil {
			return fmt.Errorf("data%w", err)
		}
	}
	if p, ok := base.(map[string]any)["policyctl"].(map[string]any); ok && p["admission"] != nil {
		return fmt.Errorf("data.%s is where the answers of modules stand: move this data elsewhere", AdmissionPackage)
	}
	l.data = base.(map[string]any)
	l.store = inmem.NewFromObjectWithOpts(l.data, inmem.OptRoundTripOnWrite(false), inmem.OptReturnASTValuesOnRead(true))
	return nil
}

func (l *loader) compile() error {
	schemas, err := schemaSet()
	if err != nil {
		return err
	}
	ctx := context.Background()
	return storage.Txn(ctx, l.store, storage.TransactionParams{}, func(txn storage.Transaction) error {
		l.compiler = ast.NewCompiler().WithCapabilities(Capabilities()).WithStrict(true).WithEnablePrintStatements(l.prints).
			WithSchemas(schemas).WithUseTypeCheckAnnotations(true).
			WithPathConflictsCheck(storage.NonEmpty(ctx, l.store, txn))
		if l.compiler.Compile(l.trees); l.compiler.Failed() {
			return explained(l.compiler.Errors)
		}
		return nil
	})
}

// checkTypes refuses documents that can never be lists of answers.
func (l *loader) checkTypes() error {
	var errs []error
	for d, ref := range documentRefs() {
		switch t := l.compiler.TypeEnv.GetByRef(ref).(type) {
		case nil, *types.Set, *types.Array, types.Any:
		default:
			where := AdmissionPackage
			if rules := l.compiler.GetRules(ref); len(rules) > 0 {
				where = place(rules[0].Location)
			}
			errs = append(errs, fmt.Errorf("%s: the document %s is %s: %s", where, decisionDocument(d), types.Sprint(t), writeAnswers))
		}
	}
	return errors.Join(errs...)
}

// prepare readies the one query: each document in a list, which is empty where
// the document is undefined.
func (l *loader) prepare() (rego.PreparedEvalQuery, error) {
	var parts []string
	for _, ref := range documentRefs() {
		parts = append(parts, fmt.Sprintf("[x | x = %s]", ref))
	}
	return l.ready("answers = [" + strings.Join(parts, ", ") + "]")
}

// ready readies a query over the modules and the data.
func (l *loader) ready(text string) (rego.PreparedEvalQuery, error) {
	query, err := rego.New(
		rego.Compiler(l.compiler), rego.Store(l.store), rego.Capabilities(Capabilities()), rego.StrictBuiltinErrors(true),
		rego.Query(text),
	).PrepareForEval(context.Background())
	return query, explained(err)
}

// cachedValues bounds the regular expressions and globs that are kept between
// calls: a policy may make them of its input.
const cachedValues = 10_000

func valueCache() cache.InterQueryValueCache {
	limit := cachedValues
	return cache.NewInterQueryValueCache(context.Background(), &cache.Config{
		InterQueryBuiltinValueCache: cache.InterQueryBuiltinValueCacheConfig{MaxNumEntries: &limit},
	})
}
