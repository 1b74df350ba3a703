CREATE TABLE `resumable_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`metadata` text NOT NULL,
	`size` integer NOT NULL,
	`offset` integer DEFAULT 0 NOT NULL,
	`address` text,
	`sha256` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `resumable_uploads_expiry` ON `resumable_uploads` (`expires_at`);--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`upload_id` text NOT NULL,
	`start` integer NOT NULL,
	`bytes` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`upload_id`, `start`),
	FOREIGN KEY (`upload_id`) REFERENCES `resumable_uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
