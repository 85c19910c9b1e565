import { config } from '#api/config.ts';
import { chooseBus } from '#db/bus.ts';
import { openDatabase } from '#db/client.ts';

/** Opens the database and chooses the bus for `astro dev`, which site/dev.ts has started and migrated. */
const { busUrl, databaseUrl } = config();
if (!databaseUrl)
  throw new Error('start the development server with `bun run dev`: it starts the database too');
openDatabase(databaseUrl);
chooseBus(busUrl);
