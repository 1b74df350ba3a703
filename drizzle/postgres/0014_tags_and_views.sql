CREATE TABLE "clip_tags" (
	"clip_id" text NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "clip_tags_clip_id_key_pk" PRIMARY KEY("clip_id","key")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"query" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "saved_views_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "clip_versions" ADD COLUMN "tags" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "clips" ADD COLUMN "favorite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "clip_tags" ADD CONSTRAINT "clip_tags_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clip_tags_key" ON "clip_tags" USING btree ("key","clip_id");