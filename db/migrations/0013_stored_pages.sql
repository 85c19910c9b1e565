-- What Drizzle cannot say: a crash empties these tables, and what they hold is made anew (decision W10).
CREATE SEQUENCE "invalidation_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE UNLOGGED TABLE "invalidated_tags" (
	"tag" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"invalidated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "page_builds" (
	"build" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"leased_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "page_reads" (
	"key" text PRIMARY KEY NOT NULL,
	"reads" real NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "stored_pages" (
	"build" text NOT NULL,
	"key" text NOT NULL,
	"etag" text NOT NULL,
	"headers" json NOT NULL,
	"body" "bytea" NOT NULL,
	"is_tight" boolean NOT NULL,
	"tags" text[] NOT NULL,
	"as_of" bigint NOT NULL,
	"rendered_at" timestamp with time zone NOT NULL,
	"fresh_until" timestamp with time zone NOT NULL,
	"stale_until" timestamp with time zone NOT NULL,
	CONSTRAINT "stored_pages_build_key_pk" PRIMARY KEY("build","key")
);
--> statement-breakpoint
CREATE INDEX "stored_pages_stale" ON "stored_pages" USING btree ("stale_until");--> statement-breakpoint
-- It is compressed already.
ALTER TABLE "stored_pages" ALTER COLUMN "body" SET STORAGE EXTERNAL;
