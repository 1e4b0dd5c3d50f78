-- Where the audit log begins once its beginning was cut off: behind the record of a
-- checkpoint, as JSON, which the service's key has signed. What was cut off may be deleted.

-- +goose Up

CREATE TABLE audit_base (
	one        INTEGER PRIMARY KEY CHECK (one = 1),
	seq        INTEGER NOT NULL,
	hash       TEXT NOT NULL,
	checkpoint TEXT NOT NULL
) STRICT;

DROP TRIGGER audit_keeps;
-- +goose StatementBegin
CREATE TRIGGER audit_keeps BEFORE DELETE ON audit WHEN old.seq > coalesce((SELECT seq FROM audit_base), 0) BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_base_made BEFORE INSERT ON audit_base WHEN EXISTS (SELECT 1 FROM audit_base WHERE seq >= new.seq) BEGIN
	SELECT RAISE(ABORT, 'the beginning of the audit log only moves forward');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_base_moves BEFORE UPDATE ON audit_base WHEN new.seq <= old.seq BEGIN
	SELECT RAISE(ABORT, 'the beginning of the audit log only moves forward');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_base_stays BEFORE DELETE ON audit_base BEGIN
	SELECT RAISE(ABORT, 'the beginning of the audit log only moves forward');
END;
-- +goose StatementEnd

-- REPLACE deletes without the trigger of a deletion.
-- +goose StatementBegin
CREATE TRIGGER audit_adds BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE seq = new.seq) BEGIN
	SELECT RAISE(ABORT, 'the audit log only grows');
END;
-- +goose StatementEnd
