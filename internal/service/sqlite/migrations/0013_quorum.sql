-- How many of the people that a rule names must approve, null for one.

-- +goose Up

ALTER TABLE approval_rules ADD COLUMN approver_any INTEGER;
