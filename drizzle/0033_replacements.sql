CREATE TABLE `replacements` (
	`id` text PRIMARY KEY NOT NULL,
	`find` text NOT NULL,
	`replace_with` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `word_edits` ADD `replacement_id` text;--> statement-breakpoint
CREATE INDEX `word_edits_replacement` ON `word_edits` (`replacement_id`);