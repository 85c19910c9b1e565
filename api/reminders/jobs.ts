import { deleteOldReminders } from '#db/queries/reminders/reminders.ts';
import { defineJob } from '../jobs/jobs.ts';
import { sendDueReminders } from './reminders.ts';

/** Days for which a fan sees what was sent for an event that is over. */
const retentionDays = 180;

/** Every minute: rows say what is due, so nothing is lost with a job. */
const sendReminders = defineJob<object>({
  name: 'reminders',
  cron: '* * * * *',
  retryLimit: 0,
  timeout: 300,
  async handle(_, { signal }) {
    await sendDueReminders(signal);
  },
});

const cleanReminders = defineJob<object>({
  name: 'reminders-cleaning',
  cron: '40 18 * * *',
  retryLimit: 1,
  async handle(_, { signal }) {
    await deleteOldReminders(retentionDays, signal);
  },
});

export const reminderJobs = [sendReminders, cleanReminders];
