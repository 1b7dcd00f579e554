CREATE TABLE "write_probes" (
	"at" timestamp (3) with time zone NOT NULL
);
