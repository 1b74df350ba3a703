CREATE VIRTUAL TABLE `chunks_fts` USING fts5(`text`, `context`, content='', contentless_delete=1, tokenize='porter unicode61');
--> statement-breakpoint
CREATE TRIGGER `document_chunks_deleted` AFTER DELETE ON `document_chunks` BEGIN
	DELETE FROM `chunks_fts` WHERE `rowid` = old.`id`;
END;
--> statement-breakpoint
INSERT INTO `document_revision` (`id`, `revision`) VALUES (1, 0);
--> statement-breakpoint
CREATE TRIGGER `documents_inserted` AFTER INSERT ON `documents` BEGIN
	UPDATE `document_revision` SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `documents_deleted` AFTER DELETE ON `documents` BEGIN
	UPDATE `document_revision` SET `revision` = `revision` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `clips_deleted_documents` AFTER DELETE ON `clips` BEGIN
	DELETE FROM `documents` WHERE `kind` = 'clip' AND `source` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `transcripts_updated_documents` AFTER UPDATE OF `words` ON `transcripts` BEGIN
	DELETE FROM `documents` WHERE `kind` = 'clip' AND `source` = old.`clip_id`;
END;
