import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate` writes a migration for what changed in the schema; the service applies them at its start. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/control-service/db/schema.ts',
  out: './src/control-service/migrations',
});
