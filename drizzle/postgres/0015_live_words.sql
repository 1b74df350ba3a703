CREATE TABLE "live_words" (
	"job_id" text NOT NULL,
	"attempt" bigint NOT NULL,
	"batch" bigint NOT NULL,
	"words" json NOT NULL,
	CONSTRAINT "live_words_job_id_attempt_batch_pk" PRIMARY KEY("job_id","attempt","batch")
);
--> statement-breakpoint
ALTER TABLE "live_words" ADD CONSTRAINT "live_words_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;