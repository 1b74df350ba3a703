CREATE TABLE "notes" (
	"id" text PRIMARY KEY NOT NULL,
	"clip_id" text,
	"start_s" double precision,
	"end_s" double precision,
	"quote" text,
	"speaker" text,
	"color" text,
	"text" text NOT NULL,
	"sources" json DEFAULT '[]'::json NOT NULL,
	"stems" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_newest" ON "notes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notes_clip" ON "notes" USING btree ("clip_id","created_at");