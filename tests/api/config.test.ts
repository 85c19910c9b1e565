import { describe, expect, test } from 'bun:test';
import webpush from 'web-push';
import { getConfig } from '#api/config.ts';
import { ConfigError } from '#api/config-error.ts';
import { misspeltSettings, reportMisspelt } from '#api/misspelt-settings.ts';

const token = 'sixteen-letters.';
const [keys, otherKeys] = [webpush.generateVAPIDKeys(), webpush.generateVAPIDKeys()];

const settingOf = (environment: Record<string, string>) => {
  try {
    getConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.setting;
    throw error;
  }
  return undefined;
};

describe('settings', () => {
  test('need nothing to be set', () => {
    const config = getConfig({});
    expect(config).toMatchObject({
      port: 4321,
      traceEndpoint: undefined,
      traceShare: 1,
      addressLimits: 1,
      drainSeconds: 0,
      dataDir: '.data',
      siteUrl: 'http://localhost:4321',
      databaseUrl: undefined,
    });
  });

  test('have a site leave slowly behind a proxy', () => {
    expect(getConfig({ TRUSTED_PROXIES: '127.0.0.1' }).drainSeconds).toBe(4);
    expect(getConfig({ TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '0' }).drainSeconds).toBe(0);
    expect(settingOf({ DRAIN_SECONDS: '9' })).toBe('DRAIN_SECONDS');
  });

  test('take any port where the address of the site is known', () => {});

  test('take a share of traces as people and programs write it', () => {
    const shares = ['0', '0.0', '.5', '0.05', '1', '1.0'].map(
      (share) => getConfig({ OTEL_TRACES_SAMPLER_ARG: share }).traceShare,
    );
    expect(shares).toEqual([0, 0, 0.5, 0.05, 1, 1]);
  });

  test('count as unset when empty', () => {
    expect(getConfig({ DATABASE_URL: ' ', PORT: '' }).port).toBe(4321);
  });

  test.each([
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '80x' }],
    ['PORT', { PORT: '-1' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'not an address' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me@a:5432,b:70000/db' }],
    ['DATABASE_URL', { DATABASE_DIRECT_URL: 'postgres://me@a/db' }],
    ['DATABASE_URL', { DATABASE_REPLICA_URLS: 'postgres://me@a/db' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me@a,b/db', DATABASE_DIRECT_URL: 'postgres://me@a/db' }],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://me@a/db', DATABASE_DIRECT_URL: 'a:5432' }],
    [
      'DATABASE_REPLICA_URLS',
      { DATABASE_URL: 'postgres://me@a/db', DATABASE_REPLICA_URLS: 'postgres://me@b/db, b' },
    ],
    ['SITE_URL', { SITE_URL: 'javascript:alert(1)' }],
    ['SITE_URL', { SITE_URL: 'https://byeol.example/fans/' }],
    ['SITE_URL', { SITE_URL: 'https://byeol.example?x=1' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:p%zz@a/db' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me@a/db?sslmode=bogus' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres:me@a/db' }],
    ['BUS_URL', { BUS_URL: 'http://x' }],
    ['BUS_URL', { BUS_URL: 'valkey:127.0.0.1' }],
    ['BUS_URL', { BUS_URL: 'redis://' }],
    ['BUS_URL', { BUS_URL: 'redis://127.0.0.1:4737/x' }],
    ['BUS_URL', { BUS_URL: 'redis://:p%zz@127.0.0.1' }],
    ['SMTP_URL', { SMTP_URL: 'http://x' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example' }],
    ['MAIL_FROM', { MAIL_FROM: 'Byeol <no-reply@byeol.example>' }],
    ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
    ['VAPID_PUBLIC_KEY', { VAPID_PRIVATE_KEY: 'A'.repeat(43) }],
    ['VAPID_PRIVATE_KEY', { VAPID_PUBLIC_KEY: 'A'.repeat(87) }],
    ['VAPID_PRIVATE_KEY', { VAPID_PUBLIC_KEY: 'A'.repeat(87), VAPID_PRIVATE_KEY: 'secret!' }],
    ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: otherKeys.privateKey }],
    ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: 'A'.repeat(43) }],
    ['VAPID_FORMER_KEYS', { VAPID_FORMER_KEYS: `${keys.publicKey}:${otherKeys.privateKey}` }],
    ['VAPID_FORMER_KEYS', { VAPID_FORMER_KEYS: 'A'.repeat(87) }],
    ['VAPID_FORMER_KEYS', { VAPID_FORMER_KEYS: `${'A'.repeat(87)}:secret!` }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/40' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.example' }],
    ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'a@b.c' }],
    ['ADMIN_EMAIL', { ADMIN_PASSWORD: 'secret-enough' }],
    ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'a@b.c', ADMIN_PASSWORD: 'short' }],
    ['AI_BASE_URL', { AI_API_KEY: 'key' }],
    ['AI_BASE_URL', { AI_MODEL: 'model' }],
    ['AI_MODEL', { AI_BASE_URL: 'http://localhost:1234' }],
    ['PAGE_CACHE_MB', { PAGE_CACHE_MB: '0' }],
    ['PAGE_STORE_MB', { PAGE_STORE_MB: '-1' }],
    ['PROCESSES', { PROCESSES: 'many' }],
    ['PROCESSES', { PROCESSES: '65' }],
    ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '10' }],
    ['MESSAGES_KEPT_DAYS', { MESSAGES_KEPT_DAYS: '29' }],
    ['AUDIT_KEPT_DAYS', { AUDIT_KEPT_DAYS: 'a year' }],
    ['STORAGE_URL', { STORAGE_URL: 'https://key:secret@s3.example/pictures' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://s3.example/pictures' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://key:secret@s3.example' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://key:secret@s3.example/a/b' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://key:secret@s3.example/pictures?tls=maybe' }],
    ['STORAGE_URL', { STORAGE_URL: 's3://key:100%@s3.example/pictures' }],
    ['BACKUP_URL', { BACKUP_URL: 'https://s3.example/backups' }],
    ['BACKUP_URL', { BACKUP_URL: 's3://s3.example/backups' }],
    ['PURGE_URL', { PURGE_URL: 'edge:6081', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: ',', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'akamai+https://edge.example', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'https://me:secret@edge.example', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'https://edge.example/?key=secret', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'https://edge.example, varnish+https://edge.example/', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'fastly+http://api.example/service/1/purge', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_URL: 'cloudflare+http://10.0.0.1/purge_cache', PURGE_TOKEN: token }],
    ['PURGE_URL', { PURGE_TOKEN: token }],
    ['PURGE_TOKEN', { PURGE_URL: 'varnish+http://edge:6081' }],
    ['PURGE_TOKEN', { PURGE_URL: 'varnish+http://edge:6081', PURGE_TOKEN: 'fifteen-letters' }],
    ['PURGE_TOKEN', { PURGE_URL: 'varnish+http://edge:6081', PURGE_TOKEN: 'sixteen letters.' }],
    ['BACKUP_PASSPHRASE', { BACKUP_PASSPHRASE: 'fifteen letters' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'fifteen-letters' }],
    ['JOBS', { JOBS: 'no' }],
    ['AI_DAILY_TOKENS', { AI_DAILY_TOKENS: 'all' }],
    ['AI_TIMEOUT', { AI_TIMEOUT: '0' }],
    ['METRICS_PORT', { METRICS_PORT: '65500' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.01' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: 'all' }],
    ['ADDRESS_LIMITS', { ADDRESS_LIMITS: '0' }],
    ['ADDRESS_LIMITS', { ADDRESS_LIMITS: '1e3' }],
    ['AI_PRICE', { AI_PRICE: '5' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8/8' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'on' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'bridge' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: '10.0.0.8' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: '10.0.0.0/33' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'bridge/8' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'bridge:0' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'bridge:70000' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'http://bridge:80' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'me@bridge:80' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: '::1:80' }],
    ['FETCH_ALLOW', { FETCH_ALLOW: 'bridge:80, *:443' }],
    ['WIKIDATA_BASE_URL', { WIKIDATA_BASE_URL: 'wikidata.org' }],
    ['WIKIDATA_BASE_URL', { WIKIDATA_BASE_URL: 'https://wikidata.example/?x=1' }],
    ['COMMONS_BASE_URL', { COMMONS_BASE_URL: 'file:///etc/passwd' }],
  ])('name %s when it is wrong', (setting, environment) => {
    expect(settingOf(environment)).toBe(setting);
  });

  test.each([
    { DATABASE_URL: 'postgres://me:of-7-moons@host:port/name' },
    { DATABASE_URL: 'of-7-moons' },
    { BUS_URL: 'redis://:of-7#moons@host:6379' },
    { BUS_URL: 'http://:of-7-moons@host' },
    { SMTP_URL: 'of-7-moons@host' },
    { SMTP_URL: 'smtp://me:of-7#moons@host' },
    { STORAGE_URL: 's3://key:of-7-moons@host/a/b' },
    { STORAGE_URL: 's3://key:of-7-moons%@host/bucket' },
    { BACKUP_URL: 's3://key:of-7-moons@host' },
    { BACKUP_PASSPHRASE: 'of-7-moons' },
    { METRICS_TOKEN: 'of-7-moons' },
    { VAPID_PRIVATE_KEY: 'of-7-moons' },
    { VAPID_PUBLIC_KEY: 'A'.repeat(87), VAPID_PRIVATE_KEY: 'of-7-moons' },
    { VAPID_FORMER_KEYS: `${'A'.repeat(87)}:of-7-moons` },
    { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'of-7' },
    { ADMIN_PASSWORD: 'of-7-moons' },
    { AI_API_KEY: 'of-7-moons' },
    { PURGE_URL: 'https://me:of-7-moons@edge.example', PURGE_TOKEN: token },
    { PURGE_URL: 'https://edge.example', PURGE_TOKEN: 'of-7-moons' },
    { PURGE_TOKEN: 'of-7-moons-and-stars' },
  ])('do not repeat a secret that is wrong: %o', (environment) => {
    let said = '';
    try {
      getConfig(environment);
    } catch (error) {
      said = String(error);
    }
    expect(said).not.toBe('');
    expect(said).not.toContain('of-7');
  });

  test('take keys of web push that are pairs', () => {
    const taken = getConfig({
      VAPID_PUBLIC_KEY: keys.publicKey,
      VAPID_PRIVATE_KEY: keys.privateKey,
      VAPID_FORMER_KEYS: `${otherKeys.publicKey}:${otherKeys.privateKey}`,
    });
    expect(taken).toMatchObject({ vapid: keys, formerVapid: [otherKeys] });
  });

  test('take no processes to watch over, a number of them, or as many as there are cores', () => {
    expect(getConfig({}).processes).toBeUndefined();
    expect(getConfig({ PROCESSES: '3' }).processes).toBe(3);
    for (const PROCESSES of ['0', 'auto']) expect(getConfig({ PROCESSES }).processes).toBe('auto');
    for (const PROCESSES of ['AUTO', '65'])
      expect(() => getConfig({ PROCESSES })).toThrow(
        `PROCESSES must be "auto" or a whole number from 0 to 64, not "${PROCESSES}".`,
      );
  });

  test('are told from names that are nearly theirs, where they are not set themselves', () => {
    const given = {
      DATABASEURL: 'postgres://a',
      Site_Url: 'https://a.example',
      BACKUP_PASPHRASE: 'x',
      STMP_URL: 'x',
      METRICS_PORTS: 'x',
      BUS_URI: 'x',
      PROCESS: '3',
      PAGE_CACHE: '32',
    };
    expect(misspeltSettings(given).map(({ setting }) => setting)).toEqual([
      'DATABASE_URL',
      'SITE_URL',
      'BACKUP_PASSPHRASE',
      'SMTP_URL',
      'METRICS_PORT',
      'BUS_URL',
      'PROCESSES',
      'PAGE_CACHE_MB',
    ]);
    expect(misspeltSettings({ PATH: 'x', HOSTS: 'x', POST: 'x', PURGE_URLS_X: 'x', EMAIL: 'x' })).toEqual([]);
    expect(misspeltSettings({ SITE_URL: 'https://a.example', SITEURL: 'x' })).toEqual([]);
  });

  test('end a start where the address of the database is misspelt, and are only told else', () => {
    const told: string[] = [];
    const tell = (sentence: string) => void told.push(sentence);
    expect(() => reportMisspelt({ DATABSE_URL: 'postgres://me:hunter2@a/db', STMP_URL: 'x' }, tell)).toThrow(
      'DATABSE_URL is no setting, and has the address of a database: call it DATABASE_URL, or unset it.',
    );
    expect(told).toEqual([]);
    reportMisspelt({ DATABASE_URI: 'sqlite:file', STMP_URL: 'x' }, tell);
    expect(told).toEqual([
      'DATABASE_URI is no setting: DATABASE_URL is one, and not set.',
      'STMP_URL is no setting: SMTP_URL is one, and not set.',
    ]);
  });

  test('keep the origin without a slash at its end', () => {
    expect(getConfig({ SITE_URL: 'https://byeol.example/' }).siteUrl).toBe('https://byeol.example');
  });

  test('read a bucket out of the address of its store', () => {
    const { storage } = getConfig({
      STORAGE_URL: 's3://AKIA:a%2Fb%23c@127.0.0.1:9000/pictures?region=ap-northeast-2&tls=off',
    });
    expect(storage).toEqual({
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'pictures',
      region: 'ap-northeast-2',
      accessKeyId: 'AKIA',
      secretAccessKey: 'a/b#c',
    });
    expect(getConfig({ STORAGE_URL: 's3://key:secret@s3.example/pictures' }).storage).toMatchObject({
      endpoint: 'https://s3.example',
      region: 'us-east-1',
    });
  });

  test('read the edges to purge, each with its shape, and tell no secret when one is wrong', () => {
    const PURGE_URL =
      'varnish+http://edge:6081, fastly+https://api.fastly.com/service/a1/purge,cloudflare+https://api.cloudflare.com/client/v4/zones/z/purge_cache, https://cdn.example/purge';
    expect(getConfig({ PURGE_URL, PURGE_TOKEN: token }).purge).toEqual({
      token,
      edges: [
        { shape: 'varnish', address: 'http://edge:6081/' },
        { shape: 'fastly', address: 'https://api.fastly.com/service/a1/purge' },
        { shape: 'cloudflare', address: 'https://api.cloudflare.com/client/v4/zones/z/purge_cache' },
        { shape: 'signed', address: 'https://cdn.example/purge' },
      ],
    });
    expect(getConfig({}).purge).toBeUndefined();
    for (const address of ['x+https://me:hidden@edge', 'https://me:hidden@edge', 'x+https://edge/?k=hidden'])
      expect(() => getConfig({ PURGE_URL: address, PURGE_TOKEN: token })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hidden') }),
      );
  });

  test('take a folder or a bucket with folders for backups', () => {
    const bucket = 's3://key:secret@s3.example/backups/byeol/daily';
    expect(getConfig({ BACKUP_URL: bucket }).backupUrl).toBe(bucket);
    expect(getConfig({ BACKUP_URL: '/mnt/backups' }).backupUrl).toBe('/mnt/backups');
    const refusalOf = (BACKUP_URL: string) => () => getConfig({ BACKUP_URL });
    expect(refusalOf('http://a')).toThrow(
      'BACKUP_URL must be a folder, or like s3://key:secret@host/bucket/folder?region=…&tls=on.',
    );
    expect(refusalOf('s3://key:secret@s3.example/ab')).toThrow(
      'BACKUP_URL must name a bucket of 3 to 63 small letters, digits, dots and hyphens, not "ab".',
    );
    expect(getConfig({ BACKUP_PASSPHRASE: 'sixteen letters.' }).backupPassphrase).toBe('sixteen letters.');
    expect(getConfig({ METRICS_TOKEN: 'sixteen-letters.' }).metricsToken).toBe('sixteen-letters.');
  });

  test('say which hosts and blocks may be fetched from, each in one form', () => {
    expect(getConfig({}).fetchAllow).toEqual([]);
    const FETCH_ALLOW = 'Bridge.:080, 10.0.0.0/8,127.1:3000, [::1]:80 ,fd00::/8,';
    expect(getConfig({ FETCH_ALLOW }).fetchAllow).toEqual([
      'bridge:80',
      '10.0.0.0/8',
      '127.0.0.1:3000',
      '[::1]:80',
      'fd00::/8',
    ]);
  });

  test('ask Wikidata and Commons themselves, unless told otherwise', () => {
    expect(getConfig({})).toMatchObject({
      wikidataBaseUrl: 'https://www.wikidata.org',
      commonsBaseUrl: 'https://commons.wikimedia.org',
    });
    expect(getConfig({ WIKIDATA_BASE_URL: 'http://mirror:8080/wd/' }).wikidataBaseUrl).toBe(
      'http://mirror:8080/wd',
    );
  });

  test('send letters from the site’s own host unless told otherwise', () => {
    expect(getConfig({ SITE_URL: 'https://byeol.example' }).mailFrom).toBe('no-reply@byeol.example');
    expect(getConfig({ MAIL_FROM: 'stars@post.example' }).mailFrom).toBe('stars@post.example');
  });

  test.each(['postgres://me:hunter2#@host/db', 'postgres://me:hunter2@host:70000/db'])(
    'say what makes an address unreadable, without its password (%#)',
    (address) => {
      expect(() => getConfig({ DATABASE_URL: address })).toThrow(
        'DATABASE_URL cannot be read as an address: check the port, and percent-encode special characters of the password, such as # as %23.',
      );
    },
  );

  test('never put a password into a message', () => {
    expect(() => getConfig({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/);
    expect(() => getConfig({ SMTP_URL: 'http://me:hunter2@host' })).toThrow(/^(?!.*hunter2)/);
  });
});
