-- Every change of a rule with what was and what is, so that each can be undone, and the
-- test cases of a rule. before and after are rows as JSON, by the names of their columns;
-- the rules that were deleted before now are changes too.

-- +goose Up

ALTER TABLE approval_rules ADD COLUMN cases TEXT;
ALTER TABLE approval_rules ADD COLUMN updated_by TEXT;

CREATE TABLE rule_changes (
	seq    INTEGER PRIMARY KEY AUTOINCREMENT,
	rule   TEXT NOT NULL,
	actor  TEXT NOT NULL,
	time   INTEGER NOT NULL,
	before TEXT,
	after  TEXT
) STRICT;

CREATE INDEX rule_changes_rule ON rule_changes (rule, seq);
CREATE INDEX rule_changes_deleted ON rule_changes (seq) WHERE after IS NULL;

INSERT INTO rule_changes (rule, actor, time, before)
	SELECT CASE WHEN json_valid(row) THEN coalesce(json_extract(row, '$.id'), '') ELSE '' END, deleted_by, deleted_at, row FROM rule_tombstones ORDER BY seq;
DROP TABLE rule_tombstones;
