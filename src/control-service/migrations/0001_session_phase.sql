ALTER TABLE "sessions" ADD COLUMN "phase" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "phase_ends_at" timestamp (3) with time zone;