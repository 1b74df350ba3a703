ALTER TABLE `clips` ADD `channel` text;--> statement-breakpoint
ALTER TABLE `clips` ADD `published_at` integer;