import { afterAll } from 'bun:test';
import { getConfig, setConfig } from '#api/config.ts';
import { leaveTestCluster } from './cluster.ts';

// Tests know no settings of the machine they run on.
setConfig(getConfig({ NODE_ENV: 'test' }));

afterAll(leaveTestCluster, 120_000);
