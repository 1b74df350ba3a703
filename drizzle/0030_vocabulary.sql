CREATE TABLE `vocabulary` (
	`id` text PRIMARY KEY NOT NULL,
	`term` text NOT NULL,
	`key` text NOT NULL,
	`sounds_like` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vocabulary_key` ON `vocabulary` (`key`);