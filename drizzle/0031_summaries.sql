CREATE TABLE `clip_summaries` (
	`clip_id` text NOT NULL,
	`template_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`prompt` text,
	`options` text NOT NULL,
	`template_version` integer NOT NULL,
	`queued_at` integer NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`owner` text,
	`attempt` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`lease_until` integer,
	`progress` text,
	`lines` text DEFAULT '[]' NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`provider` text,
	`model` text,
	`made_with` text,
	`finished_at` integer,
	PRIMARY KEY(`clip_id`, `template_id`),
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `clip_summaries_due` ON `clip_summaries` (`state`,`not_before`);--> statement-breakpoint
CREATE TABLE `summary_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`prompt` text,
	`after_jobs` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `summary_templates_key_unique` ON `summary_templates` (`key`);