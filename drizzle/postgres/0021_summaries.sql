CREATE TABLE "clip_summaries" (
	"clip_id" text NOT NULL,
	"template_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"prompt" text,
	"options" json NOT NULL,
	"template_version" bigint NOT NULL,
	"queued_at" bigint NOT NULL,
	"state" text NOT NULL,
	"error" text,
	"owner" text,
	"attempt" bigint DEFAULT 0 NOT NULL,
	"tries" bigint DEFAULT 0 NOT NULL,
	"not_before" bigint NOT NULL,
	"lease_until" bigint,
	"progress" json,
	"lines" json DEFAULT '[]'::json NOT NULL,
	"dropped" bigint DEFAULT 0 NOT NULL,
	"provider" text,
	"model" text,
	"made_with" json,
	"finished_at" bigint,
	CONSTRAINT "clip_summaries_clip_id_template_id_pk" PRIMARY KEY("clip_id","template_id")
);
--> statement-breakpoint
CREATE TABLE "summary_templates" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"prompt" text,
	"after_jobs" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "summary_templates_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "clip_summaries" ADD CONSTRAINT "clip_summaries_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clip_summaries_due" ON "clip_summaries" USING btree ("state","not_before");