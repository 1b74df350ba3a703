CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`clip_id` text,
	`start_s` real,
	`end_s` real,
	`quote` text,
	`speaker` text,
	`color` text,
	`text` text NOT NULL,
	`sources` text DEFAULT '[]' NOT NULL,
	`stems` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notes_newest` ON `notes` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notes_clip` ON `notes` (`clip_id`,`created_at`);