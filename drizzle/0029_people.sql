CREATE TABLE `clip_people` (
	`clip_id` text NOT NULL,
	`speaker` text NOT NULL,
	`person_id` text NOT NULL,
	`state` text NOT NULL,
	`score` real,
	`at` integer NOT NULL,
	PRIMARY KEY(`clip_id`, `speaker`, `person_id`),
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `clip_people_person` ON `clip_people` (`person_id`,`state`,`clip_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `people_newest` ON `people` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `speaker_embeddings` (
	`clip_id` text NOT NULL,
	`speaker` text NOT NULL,
	`embedder` text NOT NULL,
	`vector` blob NOT NULL,
	`seconds` real NOT NULL,
	PRIMARY KEY(`clip_id`, `speaker`),
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `speaker_embeddings_embedder` ON `speaker_embeddings` (`embedder`,`clip_id`);--> statement-breakpoint
DROP INDEX `findables_clip`;--> statement-breakpoint
ALTER TABLE `findables` ADD `seconds` real DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `findables_clip` ON `findables` (`clip_id`,`kind`,`speaker`,`seconds`);
--> statement-breakpoint
-- The next sweep makes the rows again, with the seconds.
DELETE FROM `findables`;--> statement-breakpoint
-- Each name that speakers have becomes a person.
INSERT INTO `people` (`id`, `name`, `created_at`)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), min(named.`value`), min(`clips`.`created_at`)
FROM `clips`, json_each(`clips`.`speakers`) AS named GROUP BY lower(named.`value`);--> statement-breakpoint
INSERT INTO `clip_people` (`clip_id`, `speaker`, `person_id`, `state`, `at`)
SELECT `clips`.`id`, named.`key`, `people`.`id`, 'confirmed', `clips`.`created_at`
FROM `clips`, json_each(`clips`.`speakers`) AS named JOIN `people` ON lower(`people`.`name`) = lower(named.`value`);
