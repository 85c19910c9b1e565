/** A process of its own that sends what is due, once: `bun tests/kit/reminder-worker.ts` with the settings of a worker. */
import { config } from '#api/config.ts';
import { sendDueReminders } from '#api/reminders/reminders.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';

openDatabase(config().databaseUrl ?? '', 4);
console.log('sweeping');
console.log(`settled ${await sendDueReminders()}`);
await closeDatabase();
