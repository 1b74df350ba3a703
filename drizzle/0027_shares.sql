CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`clip_id` text NOT NULL,
	`secret` text NOT NULL,
	`start_s` real,
	`end_s` real,
	`with_audio` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_opened_at` integer,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_secret_unique` ON `shares` (`secret`);--> statement-breakpoint
CREATE INDEX `shares_clip` ON `shares` (`clip_id`,`created_at`);