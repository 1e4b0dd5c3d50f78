-- A program that knows the table by its other columns may leave these two out, and looks
-- for rules by their scope.

-- +goose Up

ALTER TABLE approval_rules ALTER COLUMN enabled SET DEFAULT 1;
ALTER TABLE approval_rules ALTER COLUMN dialect SET DEFAULT 'pattern';

CREATE INDEX rules_scope_idx ON approval_rules (scope_plugin_id, scope_profile_id, priority);
