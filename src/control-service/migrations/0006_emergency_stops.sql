CREATE TABLE "emergency_stops" (
	"robot_id" text PRIMARY KEY NOT NULL,
	"press_id" text NOT NULL,
	"pressed_by" text NOT NULL,
	"reason" text,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "emergency_stops" ADD CONSTRAINT "emergency_stops_robot_id_robots_id_fk" FOREIGN KEY ("robot_id") REFERENCES "public"."robots"("id") ON DELETE cascade ON UPDATE no action;