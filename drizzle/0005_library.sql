CREATE TABLE `findables` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`clip_id` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`number` text,
	`starts` text,
	`speaker` text,
	`start_s` real NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `findables_clip` ON `findables` (`clip_id`,`kind`);--> statement-breakpoint
CREATE TABLE `waveforms` (
	`clip_id` text PRIMARY KEY NOT NULL,
	`stamp` text NOT NULL,
	`duration_s` real NOT NULL,
	`peaks` blob NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `word_edits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`clip_id` text NOT NULL,
	`at` integer NOT NULL,
	`edit` text NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `word_edits_clip` ON `word_edits` (`clip_id`,`id`);--> statement-breakpoint
ALTER TABLE `clips` ADD `voices` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_stages` ADD `began_at` integer;--> statement-breakpoint
ALTER TABLE `job_stages` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `transcripts` ADD `heard` text;