CREATE TABLE `gpu_tenants` (
	`job_id` text NOT NULL,
	`stage` text NOT NULL,
	`attempt` integer NOT NULL,
	`gpu` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`job_id`, `stage`)
);
