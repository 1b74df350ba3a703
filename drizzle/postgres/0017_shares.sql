CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"clip_id" text NOT NULL,
	"secret" text NOT NULL,
	"start_s" double precision,
	"end_s" double precision,
	"with_audio" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"last_opened_at" bigint,
	CONSTRAINT "shares_secret_unique" UNIQUE("secret")
);
--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shares_clip" ON "shares" USING btree ("clip_id","created_at");