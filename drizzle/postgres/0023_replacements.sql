CREATE TABLE "replacements" (
	"id" text PRIMARY KEY NOT NULL,
	"find" text NOT NULL,
	"replace_with" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "word_edits" ADD COLUMN "replacement_id" text;--> statement-breakpoint
CREATE INDEX "word_edits_replacement" ON "word_edits" USING btree ("replacement_id");