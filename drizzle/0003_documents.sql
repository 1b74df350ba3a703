CREATE TABLE `document_chunks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`text` text NOT NULL,
	`metadata` text NOT NULL,
	`vector` blob NOT NULL,
	FOREIGN KEY (`document_id`) REFERENCES `documents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `document_chunks_document` ON `document_chunks` (`document_id`,`ordinal`);--> statement-breakpoint
CREATE TABLE `document_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`fingerprint` text NOT NULL,
	`embed_model` text NOT NULL,
	`written_at` integer NOT NULL,
	CONSTRAINT "documents_kind" CHECK(kind in ('file', 'clip'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_source` ON `documents` (`kind`,`source`);