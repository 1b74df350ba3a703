CREATE TABLE "resumable_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"metadata" text NOT NULL,
	"size" bigint NOT NULL,
	"offset" bigint DEFAULT 0 NOT NULL,
	"address" text,
	"sha256" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"upload_id" text NOT NULL,
	"start" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"key" text NOT NULL,
	CONSTRAINT "upload_parts_upload_id_start_pk" PRIMARY KEY("upload_id","start")
);
--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_resumable_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."resumable_uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resumable_uploads_expiry" ON "resumable_uploads" USING btree ("expires_at");