CREATE INDEX "clips_newest" ON "clips" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "clips_language" ON "clips" USING btree ("language","created_at","id");--> statement-breakpoint
CREATE INDEX "clips_duration" ON "clips" USING btree ("duration_s","id");--> statement-breakpoint
CREATE INDEX "documents_newest" ON "documents" USING btree ("kind","written_at","id");