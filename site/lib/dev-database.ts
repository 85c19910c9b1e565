import { config } from '#api/config.ts';
import { openDatabase } from '#db/client.ts';

/** Opens the database for `astro dev`, which site/dev.ts has started and migrated. */
const { databaseUrl } = config();
if (!databaseUrl)
  throw new Error('start the development server with `bun run dev`: it starts the database too');
openDatabase(databaseUrl);
