ALTER TABLE `clips` ADD `diarized` integer;--> statement-breakpoint
ALTER TABLE `clips` ADD `estimated_times` integer;--> statement-breakpoint
ALTER TABLE `clips` ADD `transcript_notes` text DEFAULT '[]' NOT NULL;