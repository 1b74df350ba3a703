CREATE TABLE "clip_versions" (
	"clip_id" text PRIMARY KEY NOT NULL,
	"title" bigint DEFAULT 0 NOT NULL,
	"speakers" bigint DEFAULT 0 NOT NULL,
	"transcript" bigint DEFAULT 0 NOT NULL,
	"topics" bigint DEFAULT 0 NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clip_versions" ADD CONSTRAINT "clip_versions_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;