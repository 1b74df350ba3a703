CREATE TABLE "region_names" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"written_at" bigint NOT NULL
);
