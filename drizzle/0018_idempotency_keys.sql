CREATE TABLE `idempotency_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`operation_id` text NOT NULL,
	`owner` text,
	`lease_until` integer NOT NULL,
	`response` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_oldest` ON `idempotency_keys` (`created_at`);