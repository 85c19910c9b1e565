import { join } from 'node:path';
import type { Config } from '../config.ts';

/** Where letters go without SMTP_URL; they hold links that open accounts, so only the owner may read them. */
export const outboxOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox');
