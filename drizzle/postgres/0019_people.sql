CREATE TABLE "clip_people" (
	"clip_id" text NOT NULL,
	"speaker" text NOT NULL,
	"person_id" text NOT NULL,
	"state" text NOT NULL,
	"score" double precision,
	"at" bigint NOT NULL,
	CONSTRAINT "clip_people_clip_id_speaker_person_id_pk" PRIMARY KEY("clip_id","speaker","person_id")
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "speaker_embeddings" (
	"clip_id" text NOT NULL,
	"speaker" text NOT NULL,
	"embedder" text NOT NULL,
	"vector" "bytea" NOT NULL,
	"seconds" double precision NOT NULL,
	CONSTRAINT "speaker_embeddings_clip_id_speaker_pk" PRIMARY KEY("clip_id","speaker")
);
--> statement-breakpoint
DROP INDEX "findables_clip";--> statement-breakpoint
ALTER TABLE "findables" ADD COLUMN "seconds" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "clip_people" ADD CONSTRAINT "clip_people_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clip_people" ADD CONSTRAINT "clip_people_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "speaker_embeddings" ADD CONSTRAINT "speaker_embeddings_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clip_people_person" ON "clip_people" USING btree ("person_id","state","clip_id");--> statement-breakpoint
CREATE INDEX "people_newest" ON "people" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "speaker_embeddings_embedder" ON "speaker_embeddings" USING btree ("embedder","clip_id");--> statement-breakpoint
CREATE INDEX "findables_clip" ON "findables" USING btree ("clip_id","kind","speaker","seconds");
--> statement-breakpoint
-- The next sweep makes the rows again, with the seconds.
DELETE FROM "findables";--> statement-breakpoint
-- Each name that speakers have becomes a person.
INSERT INTO "people" ("id", "name", "created_at")
SELECT gen_random_uuid()::text, min(named."value"), min("clips"."created_at")
FROM "clips", json_each_text("clips"."speakers") AS named GROUP BY lower(named."value");--> statement-breakpoint
INSERT INTO "clip_people" ("clip_id", "speaker", "person_id", "state", "at")
SELECT "clips"."id", named."key", "people"."id", 'confirmed', "clips"."created_at"
FROM "clips", json_each_text("clips"."speakers") AS named JOIN "people" ON lower("people"."name") = lower(named."value");
