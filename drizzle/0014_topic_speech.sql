CREATE TABLE `topic_speech` (
	`hash` text PRIMARY KEY NOT NULL,
	`terms` blob NOT NULL,
	`phrases` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `topics` ADD `speech_hash` text;--> statement-breakpoint
CREATE INDEX `topics_speech` ON `topics` (`speech_hash`);