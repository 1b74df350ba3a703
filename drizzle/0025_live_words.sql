CREATE TABLE `live_words` (
	`job_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`batch` integer NOT NULL,
	`words` text NOT NULL,
	PRIMARY KEY(`job_id`, `attempt`, `batch`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
