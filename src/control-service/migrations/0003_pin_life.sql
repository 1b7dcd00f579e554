ALTER TABLE "robots" ADD COLUMN "issued_name" text;--> statement-breakpoint
ALTER TABLE "robots" ADD COLUMN "wrong_pins" integer DEFAULT 0 NOT NULL;