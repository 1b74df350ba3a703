CREATE TABLE `topic_edit_steps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`clip_id` text NOT NULL,
	`removed` text NOT NULL,
	`added` text NOT NULL,
	`is_undone` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topic_edit_steps_clip` ON `topic_edit_steps` (`clip_id`,`id`);--> statement-breakpoint
ALTER TABLE `topic_edits` ADD `after_s` real;--> statement-breakpoint
ALTER TABLE `topic_edits` ADD `before_s` real;--> statement-breakpoint
ALTER TABLE `topic_edits` ADD `labels` text;