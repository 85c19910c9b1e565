import { followCountsJob } from '../accounts/follow-counts-job.ts';
import { forgettingJob } from '../accounts/forgetting.ts';
import { accountLetter } from '../accounts/letters.ts';
import { anniversaryJob } from '../directory/anniversaries.ts';
import { importJob } from '../directory/file-imports.ts';
import { searchTextJob } from '../directory/search-text-job.ts';
import { purgeJob } from '../edge/purge-job.ts';
import { pictureJobs } from '../media/jobs.ts';
import { newsroomJobs } from '../newsroom/jobs.ts';
import { reminderJobs } from '../reminders/jobs.ts';
import { retentionJob } from '../retention/retention.ts';
import type { Job } from './jobs.ts';

/** Every job there is: the app runs them (unless `JOBS=off`), and `bun run worker` does. */
export const allJobs: readonly Job[] = [
  accountLetter,
  followCountsJob,
  forgettingJob,
  ...newsroomJobs,
  ...reminderJobs,
  anniversaryJob,
  importJob,
  searchTextJob,
  ...pictureJobs,
  purgeJob,
  retentionJob,
];
