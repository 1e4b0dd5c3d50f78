-- A program that knows the table by its other columns may leave these two out, and looks
-- for rules by their scope.

-- +goose Up

CREATE TABLE approval_rules_made (
	id                   TEXT NOT NULL PRIMARY KEY,
	label                TEXT,
	scope_plugin_id      TEXT,
	scope_profile_id     TEXT,
	scope_integration_id TEXT,
	priority             INTEGER NOT NULL,
	enabled              INTEGER NOT NULL DEFAULT 1,
	dialect              TEXT NOT NULL DEFAULT 'pattern',
	source               TEXT NOT NULL,
	compiled             TEXT,
	decision             TEXT NOT NULL,
	reason               TEXT,
	approver_plugin_id   TEXT,
	approver_profile_id  TEXT,
	llm_prompt           TEXT,
	llm_model            TEXT,
	llm_cache_ttl_s      INTEGER,
	llm_fail_closed      INTEGER,
	timeout_ms           INTEGER,
	on_timeout           TEXT,
	created_by           TEXT,
	created_at           TEXT NOT NULL,
	updated_at           TEXT NOT NULL,
	cases                TEXT,
	updated_by           TEXT,
	approver_any         INTEGER
) STRICT;

INSERT INTO approval_rules_made SELECT
	id, label, scope_plugin_id, scope_profile_id, scope_integration_id, priority, enabled, dialect, source, compiled, decision, reason,
	approver_plugin_id, approver_profile_id, llm_prompt, llm_model, llm_cache_ttl_s, llm_fail_closed, timeout_ms, on_timeout,
	created_by, created_at, updated_at, cases, updated_by, approver_any
FROM approval_rules;

DROP TABLE approval_rules;
ALTER TABLE approval_rules_made RENAME TO approval_rules;

CREATE INDEX rules_scope_idx ON approval_rules (scope_plugin_id, scope_profile_id, priority);
