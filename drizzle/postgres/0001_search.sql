-- Paths are sorted and compared as bytes, whatever the collation of the database.
ALTER TABLE "documents" ALTER COLUMN "source" TYPE text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "document_chunks_stems" ON "document_chunks" USING gin ("stems");
--> statement-breakpoint
CREATE INDEX "findables_stems" ON "findables" USING gin ("stems");
--> statement-breakpoint
INSERT INTO "document_revision" ("id", "revision") VALUES (1, 0);
--> statement-breakpoint
CREATE FUNCTION "earmark_documents_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "document_revision" SET "revision" = "revision" + 1;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Before the rows, so that all writers wait for each other at the same place.
CREATE TRIGGER "documents_changed" BEFORE INSERT OR DELETE ON "documents"
	FOR EACH STATEMENT EXECUTE FUNCTION "earmark_documents_changed"();
--> statement-breakpoint
-- How many rows a full text has, and how many stems they have together: the ranking asks with every search.
CREATE FUNCTION "earmark_count_stems"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
	n bigint;
	stems bigint;
BEGIN
	SELECT count(*), coalesce(sum("stem_count"), 0) INTO n, stems FROM changed;
	IF n > 0 THEN
		INSERT INTO "counters" ("name", "value") VALUES (TG_TABLE_NAME || '_rows', sign * n), (TG_TABLE_NAME || '_stems', sign * stems)
			ON CONFLICT ("name") DO UPDATE SET "value" = "counters"."value" + excluded."value";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "document_chunks_added" AFTER INSERT ON "document_chunks" REFERENCING NEW TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION "earmark_count_stems"();
--> statement-breakpoint
CREATE TRIGGER "document_chunks_removed" AFTER DELETE ON "document_chunks" REFERENCING OLD TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION "earmark_count_stems"();
--> statement-breakpoint
CREATE TRIGGER "findables_added" AFTER INSERT ON "findables" REFERENCING NEW TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION "earmark_count_stems"();
--> statement-breakpoint
CREATE TRIGGER "findables_removed" AFTER DELETE ON "findables" REFERENCING OLD TABLE AS changed
	FOR EACH STATEMENT EXECUTE FUNCTION "earmark_count_stems"();
--> statement-breakpoint
-- What was made of a clip for searching is of the past when the clip changes.
CREATE FUNCTION "earmark_clip_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_TABLE_NAME = 'clips' THEN
		DELETE FROM "findables" WHERE "clip_id" = NEW."id";
	ELSIF TG_OP = 'DELETE' THEN
		DELETE FROM "findables" WHERE "clip_id" = OLD."clip_id";
	ELSE
		DELETE FROM "findables" WHERE "clip_id" = NEW."clip_id";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "clips_retitled_findables" AFTER UPDATE OF "title" ON "clips"
	FOR EACH ROW EXECUTE FUNCTION "earmark_clip_changed"();
--> statement-breakpoint
CREATE TRIGGER "transcripts_changed_findables" AFTER INSERT OR UPDATE OF "words" ON "transcripts"
	FOR EACH ROW EXECUTE FUNCTION "earmark_clip_changed"();
--> statement-breakpoint
CREATE TRIGGER "topics_changed_findables" AFTER INSERT OR UPDATE OR DELETE ON "topics"
	FOR EACH ROW EXECUTE FUNCTION "earmark_clip_changed"();
--> statement-breakpoint
CREATE FUNCTION "earmark_drop_clip_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_TABLE_NAME = 'clips' THEN
		DELETE FROM "documents" WHERE "kind" = 'clip' AND "source" = OLD."id";
	ELSE
		DELETE FROM "documents" WHERE "kind" = 'clip' AND "source" = OLD."clip_id";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "clips_deleted_documents" AFTER DELETE ON "clips"
	FOR EACH ROW EXECUTE FUNCTION "earmark_drop_clip_document"();
--> statement-breakpoint
CREATE TRIGGER "transcripts_updated_documents" AFTER UPDATE OF "words" ON "transcripts"
	FOR EACH ROW EXECUTE FUNCTION "earmark_drop_clip_document"();
--> statement-breakpoint
-- Wakes the relay, and whoever takes messages from the queue.
CREATE FUNCTION "earmark_notify"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('earmark', TG_TABLE_NAME);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "outbox_notify" AFTER INSERT ON "outbox" FOR EACH STATEMENT EXECUTE FUNCTION "earmark_notify"();
--> statement-breakpoint
CREATE TRIGGER "broker_messages_notify" AFTER INSERT ON "broker_messages" FOR EACH STATEMENT EXECUTE FUNCTION "earmark_notify"();
