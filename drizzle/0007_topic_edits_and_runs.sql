CREATE TABLE `topic_edits` (
	`id` text PRIMARY KEY NOT NULL,
	`clip_id` text NOT NULL,
	`kind` text NOT NULL,
	`level` integer,
	`start_s` real,
	`end_s` real,
	`title` text,
	`summary` text,
	`from_s` real,
	`to_s` real,
	`edited_at` integer NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topic_edits_clip` ON `topic_edits` (`clip_id`,`edited_at`);--> statement-breakpoint
CREATE TABLE `topic_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`clip_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`provider` text,
	`llm_model` text,
	`settings` text,
	`tree` text NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topic_runs_newest` ON `topic_runs` (`clip_id`,`created_at`,`id`);