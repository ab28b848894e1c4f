-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
INSERT INTO reading (sensor, taken_at, value, note) VALUES ('new one', '2026-11-02 10:00+01', 1.2345, NULL), ('a', '2026-11-02 10:01+01', 2, ' z ');
UPDATE reading SET value = -value, note = '' WHERE id % 33 = 0;
UPDATE reading SET sensor = 'moved' WHERE id % 300 = 3;
UPDATE reading SET taken_at = taken_at + interval '1 year' WHERE id % 45 = 1;
UPDATE reading SET station_id = 2 WHERE id % 45 = 2;
UPDATE reading SET id = id + 40000 WHERE id % 700 = 13 AND NOT EXISTS (SELECT FROM alarm WHERE reading_id = reading.id);
DELETE FROM reading WHERE id % 90 = 9 AND id > 600;
