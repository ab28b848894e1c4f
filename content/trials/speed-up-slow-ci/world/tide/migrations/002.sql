insert into ports values ('aberon', 7), ('brinna', 4);
alter table ports add column lights integer not null default 0;
