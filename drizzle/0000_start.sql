CREATE TABLE `broker_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`stage` text NOT NULL,
	`body` text NOT NULL,
	`visible_at` integer NOT NULL,
	`deliveries` integer DEFAULT 0 NOT NULL,
	`receipt` text,
	`dead_at` integer,
	`dead_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `broker_messages_id_unique` ON `broker_messages` (`id`);--> statement-breakpoint
CREATE INDEX `broker_messages_due` ON `broker_messages` (`stage`,`visible_at`,`seq`) WHERE "broker_messages"."dead_at" is null;--> statement-breakpoint
CREATE TABLE `clips` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`source_url` text,
	`file_path` text,
	`created_at` integer NOT NULL,
	`speakers` text DEFAULT '{}' NOT NULL,
	`duration_s` real DEFAULT 0 NOT NULL,
	`language` text,
	`speech_engine` text,
	`whisper_model` text,
	`provider` text,
	`llm_model` text,
	`embed_model` text,
	`tree` text
);
--> statement-breakpoint
CREATE TABLE `choices` (
	`kind` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`reason` text NOT NULL,
	`chosen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `model_runs` (
	`job_id` text NOT NULL,
	`model` text NOT NULL,
	PRIMARY KEY(`job_id`, `model`)
);
--> statement-breakpoint
CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`pid` integer NOT NULL,
	`stages` text NOT NULL,
	`started_at` integer NOT NULL,
	`active_at` integer,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_stages` (
	`job_id` text NOT NULL,
	`stage` text NOT NULL,
	`state` text NOT NULL,
	`next` text NOT NULL,
	`joins` text NOT NULL,
	`max_attempts` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`messages` integer DEFAULT 0 NOT NULL,
	`owner` text,
	`host` text,
	`lease_until` integer,
	`output` text,
	PRIMARY KEY(`job_id`, `stage`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `job_stages_lease` ON `job_stages` (`state`,`lease_until`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`result_session_id` text,
	`title` text NOT NULL,
	`source` text NOT NULL,
	`options` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 1 NOT NULL,
	`progress` text,
	`error_stage` text,
	`error_detail` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `jobs_newest` ON `jobs` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_status_newest` ON `jobs` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `layouts` (
	`model` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`hashes` text NOT NULL,
	`coords` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`job_id` text NOT NULL,
	`stage` text NOT NULL,
	`body` text NOT NULL,
	`available_at` integer NOT NULL,
	`published_at` integer,
	`resends` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_id_unique` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`available_at`,`seq`) WHERE "outbox"."published_at" is null;--> statement-breakpoint
CREATE INDEX `outbox_published` ON `outbox` (`published_at`) WHERE "outbox"."published_at" is not null;--> statement-breakpoint
CREATE INDEX `outbox_job` ON `outbox` (`job_id`,`stage`);--> statement-breakpoint
CREATE TABLE `topics` (
	`clip_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`level` integer NOT NULL,
	`number` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`start_s` real NOT NULL,
	`duration_s` real NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`clip_id`, `ordinal`),
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topics_hash` ON `topics` (`hash`);--> statement-breakpoint
CREATE TABLE `given_transcripts` (
	`job_id` text PRIMARY KEY NOT NULL,
	`words` text NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `transcripts` (
	`clip_id` text PRIMARY KEY NOT NULL,
	`words` text NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `vectors` (
	`model` text NOT NULL,
	`hash` text NOT NULL,
	`vector` blob NOT NULL,
	PRIMARY KEY(`model`, `hash`)
);
