CREATE TABLE "topic_speech" (
	"hash" text PRIMARY KEY NOT NULL,
	"terms" "bytea" NOT NULL,
	"phrases" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "topics" ADD COLUMN "speech_hash" text;--> statement-breakpoint
CREATE INDEX "topics_speech" ON "topics" USING btree ("speech_hash");