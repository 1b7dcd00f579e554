CREATE TABLE "links" (
	"id" text PRIMARY KEY NOT NULL,
	"robot_id" text NOT NULL,
	"room_name" text NOT NULL,
	"identity" text NOT NULL,
	"name" text NOT NULL,
	"access" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_robot_id_robots_id_fk" FOREIGN KEY ("robot_id") REFERENCES "public"."robots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "links_room" ON "links" USING btree ("room_name","id");--> statement-breakpoint
CREATE INDEX "links_robot" ON "links" USING btree ("robot_id");