import { defineJob } from '../jobs/jobs.ts';

/** Every night: what was withdrawn thirty days ago is not only out of sight, but gone. */
const deleteWithdrawnPictures = defineJob<object>({
  name: 'pictures-deletion',
  cron: '20 18 * * *',
  // Every picture that was ever withdrawn is looked for, as a restore may bring any of them back.
  timeout: 3_600,
  async handle(_, { signal }) {
    const { deleteWithdrawnBytes } = await import('./library.ts');
    await deleteWithdrawnBytes(signal);
  },
});

export const pictureJobs = [deleteWithdrawnPictures];
