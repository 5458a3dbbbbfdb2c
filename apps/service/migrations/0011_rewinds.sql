-- What a failover took from the log: events after the one id, up to the other, were answered or sent and are gone.
alter table log_heads add column rewound_from uuid, add column rewound_to uuid;
