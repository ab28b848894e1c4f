ALTER TABLE booking DROP COLUMN deposit;
