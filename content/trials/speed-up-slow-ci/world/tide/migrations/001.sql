create table ports (name text primary key, depth integer not null);
