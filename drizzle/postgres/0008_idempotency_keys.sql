CREATE TABLE "idempotency_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"operation_id" text NOT NULL,
	"owner" text,
	"lease_until" bigint NOT NULL,
	"response" json,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_oldest" ON "idempotency_keys" USING btree ("created_at");