CREATE TABLE `clip_versions` (
	`clip_id` text PRIMARY KEY NOT NULL,
	`title` integer DEFAULT 0 NOT NULL,
	`speakers` integer DEFAULT 0 NOT NULL,
	`transcript` integer DEFAULT 0 NOT NULL,
	`topics` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
