-- The full text is of stems that the program makes, so that both stores find the same. Rows are made again by the next sweep.
DROP TRIGGER `findables_inserted`;
--> statement-breakpoint
DROP TRIGGER `findables_deleted`;
--> statement-breakpoint
DROP TABLE `findable_fts`;
--> statement-breakpoint
DELETE FROM `findables`;
--> statement-breakpoint
ALTER TABLE `findables` ADD `stems` text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE VIRTUAL TABLE `findable_fts` USING fts5(`stems`, content='findables', content_rowid='id', tokenize='ascii');
--> statement-breakpoint
CREATE TRIGGER `findables_inserted` AFTER INSERT ON `findables` BEGIN
	INSERT INTO `findable_fts` (`rowid`, `stems`) VALUES (new.`id`, new.`stems`);
END;
--> statement-breakpoint
CREATE TRIGGER `findables_deleted` AFTER DELETE ON `findables` BEGIN
	INSERT INTO `findable_fts` (`findable_fts`, `rowid`, `stems`) VALUES ('delete', old.`id`, old.`stems`);
END;
