CREATE INDEX `clips_newest` ON `clips` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `clips_language` ON `clips` (`language`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `clips_duration` ON `clips` (`duration_s`,`id`);--> statement-breakpoint
CREATE INDEX `documents_newest` ON `documents` (`kind`,`written_at`,`id`);