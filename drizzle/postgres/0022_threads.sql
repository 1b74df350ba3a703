CREATE TABLE "thread_turns" (
	"thread_id" text NOT NULL,
	"number" bigint NOT NULL,
	"question" text NOT NULL,
	"turn" json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "thread_turns_thread_id_number_pk" PRIMARY KEY("thread_id","number")
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "thread_turns" ADD CONSTRAINT "thread_turns_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "threads_newest" ON "threads" USING btree ("updated_at","id");