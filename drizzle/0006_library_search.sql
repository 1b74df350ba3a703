CREATE VIRTUAL TABLE `findable_fts` USING fts5(`text`, content='findables', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `findables_inserted` AFTER INSERT ON `findables` BEGIN
	INSERT INTO `findable_fts` (`rowid`, `text`) VALUES (new.`id`, new.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `findables_deleted` AFTER DELETE ON `findables` BEGIN
	INSERT INTO `findable_fts` (`findable_fts`, `rowid`, `text`) VALUES ('delete', old.`id`, old.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `clips_retitled_findables` AFTER UPDATE OF `title` ON `clips` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `transcripts_inserted_findables` AFTER INSERT ON `transcripts` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = new.`clip_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `transcripts_updated_findables` AFTER UPDATE OF `words` ON `transcripts` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = old.`clip_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `topics_inserted_findables` AFTER INSERT ON `topics` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = new.`clip_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `topics_updated_findables` AFTER UPDATE ON `topics` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = old.`clip_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `topics_deleted_findables` AFTER DELETE ON `topics` BEGIN
	DELETE FROM `findables` WHERE `clip_id` = old.`clip_id`;
END;
