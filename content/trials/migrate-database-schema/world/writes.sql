INSERT INTO reading (sensor, taken_at, value, note, station_id) VALUES ('cellar', '2026-11-01 09:00+01', 7.1250, '', 1);
INSERT INTO reading (sensor, taken_at, value, note, station_id) VALUES ('never seen before', '2026-11-01 10:00:00.25+01', 1.0001, NULL, 2);
INSERT INTO reading (sensor, taken_at, value, note, station_id) VALUES ('cellar', '2026-11-01 11:00+01', 2, ' late ', 2);
UPDATE reading SET value = value + 0.0001, note = NULL WHERE id % 997 = 3;
UPDATE reading SET sensor = 'attic ' WHERE id % 499 = 4;
DELETE FROM reading WHERE id % 1009 = 5 AND NOT EXISTS (SELECT FROM alarm WHERE reading_id = reading.id);
