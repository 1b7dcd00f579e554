CREATE TABLE "owner_orders" (
	"robot_id" text PRIMARY KEY NOT NULL,
	"room_name" text NOT NULL,
	"order_id" text NOT NULL,
	"ticket" text NOT NULL,
	"driver" jsonb,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "owner_orders" ADD CONSTRAINT "owner_orders_robot_id_robots_id_fk" FOREIGN KEY ("robot_id") REFERENCES "public"."robots"("id") ON DELETE cascade ON UPDATE no action;