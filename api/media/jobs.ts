import { defineJob } from '../jobs/jobs.ts';

/** Every night: what was withdrawn thirty days ago is not only out of sight, but gone. */
const deleteWithdrawnPictures = defineJob<object>({
  name: 'pictures-deletion',
  cron: '20 18 * * *',
  async handle() {
    const { deleteWithdrawnBytes } = await import('./library.ts');
    await deleteWithdrawnBytes();
  },
});

export const pictureJobs = [deleteWithdrawnPictures];
