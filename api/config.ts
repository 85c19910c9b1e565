import { isIP } from 'node:net';
import { site } from '#content/site.ts';
import { type LogLevel, logLevels } from '#db/log-levels.ts';
import { hideSecrets } from '#db/secrets.ts';
import { ConfigError } from './config-error.ts';
import { type DatabaseUrls, readDatabaseUrls } from './database-urls.ts';
import { type PurgeSettings, readPurge } from './edge/addresses.ts';
import { readFormerVapidKeys, readVapidKeys, type VapidKeys } from './push/read-keys.ts';
import { readBusUrl, readUrl } from './read-url.ts';
import { secretsOf } from './secrets.ts';
import {
  isAddress,
  placeForms,
  readStorageUrl,
  type StorageSettings,
  StorageUrlError,
} from './storage-url.ts';

/** Everything an operator can set (architecture §Running). Read once; no other file reads the environment. */
export interface Config extends DatabaseUrls {
  mode: 'development' | 'production' | 'test';
  /** `localhost` stands for both loopback addresses, 127.0.0.1 and ::1. */
  host: string;
  port: number;
  dataDir: string;
  busUrl: string | undefined;
  /** Origin of every absolute URL, without a trailing slash. Never taken from a request. */
  siteUrl: string;
  /** Addresses or CIDR blocks whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  admin: { email: string; password: string } | undefined;
  ai: AiSettings | undefined;
  /** What the guarded fetcher may reach besides public addresses: `host:port`, or CIDR blocks (decision N1). */
  fetchAllow: readonly string[];
  youtubeApiKey: string | undefined;
  youtubeBaseUrl: string;
  wikidataBaseUrl: string;
  commonsBaseUrl: string;
  /** Undefined: letters become files of the outbox in `dataDir`. */
  smtpUrl: string | undefined;
  /** Address that letters come from. */
  mailFrom: string;
  /** Keys of web push; undefined: made once and kept in `dataDir`. */
  vapid: VapidKeys | undefined;
  /** Keys before these, by which browsers that subscribed then are still reached. */
  formerVapid: readonly VapidKeys[];
  /** Where uploaded pictures are kept; undefined: below `dataDir`. */
  storage: StorageSettings | undefined;
  metricsToken: string | undefined;
  /** Caches in front of the site, which are told what is out of date, and the secret by which they know us. */
  purge: PurgeSettings | undefined;
  /** Where backups go and come from when a command names no place: a folder, or a bucket as in STORAGE_URL with folders behind it. */
  backupUrl: string | undefined;
  /** What encrypts and opens backups. */
  backupPassphrase: string | undefined;
  /** A port for `/metrics` alone, or the first free one of the 63 after it; undefined: none. */
  metricsPort: number | undefined;
  /** Undefined: `info`, at a terminal `warn`. */
  logLevel: LogLevel | undefined;
  /** Where traces go, by OTLP over HTTP; undefined: none are made. */
  traceEndpoint: string | undefined;
  /** The share of traces that is kept, from 0 to 1; a proxy decides about those that it begins. */
  traceShare: number;
  /** Days for which messages and decisions are kept; undefined: for ever. */
  messagesKeptDays: number | undefined;
  auditKeptDays: number | undefined;
  /** Whether this process runs jobs itself; otherwise `bun run worker` does. */
  jobs: boolean;
  /** Bytes that the page cache may hold. */
  pageCacheBytes: number;
  /** Bytes that rendered pages may take in the database, where processes share them; 0: there are none. */
  pageStoreBytes: number;
  /** What limits by address are multiplied by (decision S12). */
  addressLimits: number;
  /** Seconds for which a site that is told to stop still serves while `/readyz` says no, so that a proxy sees it before the port closes. */
  drainSeconds: number;
  /**
   * How many processes a supervisor keeps serving; `auto`: one per core, as far as the database has connections for them; undefined:
   * this one serves, and nobody watches over it.
   */
  processes: number | 'auto' | undefined;
  /** Connections to the database that the processes of one start may hold together; undefined: as many as it allows. */
  databaseConnections: number | undefined;
}

export interface AiSettings {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Tokens that the newsroom may use in a day (Seoul). */
  dailyTokens: number;
  /** Milliseconds that one answer may take. */
  timeout: number;
  /** US dollars for a million tokens in and out. */
  price: { input: number; output: number } | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where logs go while the settings are not read yet, or cannot be. */
export const dataDirOf = (env: Environment): string => env.DATA_DIR?.trim() || '.data';

/**
 * Reads the settings. Empty values count as unset.
 * @throws ConfigError naming the first setting that is wrong
 */
export function getConfig(env: Environment): Config {
  const text = (name: string) => env[name]?.trim() || undefined;
  const port = wholeNumber('PORT', text('PORT'), 4321, 0, 65_535);
  const siteUrl = origin('SITE_URL', text('SITE_URL')) ?? originOf(port);
  return {
    mode: env.NODE_ENV === 'production' ? 'production' : env.NODE_ENV === 'test' ? 'test' : 'development',
    host: text('HOST') ?? 'localhost',
    port,
    dataDir: dataDirOf(env),
    ...readDatabaseUrls(
      text('DATABASE_URL'),
      text('DATABASE_DIRECT_URL'),
      entriesOf(text('DATABASE_REPLICA_URLS')),
    ),
    busUrl: readBusUrl(text('BUS_URL')),
    siteUrl,
    trustedProxies: proxies(text('TRUSTED_PROXIES')),
    admin: pair('ADMIN_EMAIL', text('ADMIN_EMAIL'), 'ADMIN_PASSWORD', text('ADMIN_PASSWORD')),
    ai: ai(text('AI_BASE_URL'), text('AI_API_KEY'), text('AI_MODEL'), {
      dailyTokens: wholeNumber('AI_DAILY_TOKENS', text('AI_DAILY_TOKENS'), 2_000_000, 1000, 1_000_000_000),
      timeout: wholeNumber('AI_TIMEOUT', text('AI_TIMEOUT'), 60, 1, 120) * 1000,
      price: price(text('AI_PRICE')),
    }),
    fetchAllow: fetchAllow(text('FETCH_ALLOW')),
    youtubeApiKey: text('YOUTUBE_API_KEY'),
    youtubeBaseUrl:
      readUrl('YOUTUBE_BASE_URL', text('YOUTUBE_BASE_URL'), ['http:', 'https:']) ??
      'https://www.googleapis.com',
    wikidataBaseUrl: service('WIKIDATA_BASE_URL', text('WIKIDATA_BASE_URL')) ?? 'https://www.wikidata.org',
    commonsBaseUrl: service('COMMONS_BASE_URL', text('COMMONS_BASE_URL')) ?? 'https://commons.wikimedia.org',
    smtpUrl: mailServer(text('SMTP_URL')),
    mailFrom: sender(text('MAIL_FROM')) ?? `no-reply@${new URL(siteUrl).hostname}`,
    vapid: readVapidKeys(text('VAPID_PUBLIC_KEY'), text('VAPID_PRIVATE_KEY')),
    formerVapid: readFormerVapidKeys(text('VAPID_FORMER_KEYS')),
    storage: storage(text('STORAGE_URL')),
    metricsToken: passphrase('METRICS_TOKEN', text('METRICS_TOKEN')),
    purge: readPurge(text('PURGE_URL'), text('PURGE_TOKEN')),
    backupUrl: place(text('BACKUP_URL')),
    backupPassphrase: passphrase('BACKUP_PASSPHRASE', text('BACKUP_PASSPHRASE')),
    metricsPort: text('METRICS_PORT')
      ? wholeNumber('METRICS_PORT', text('METRICS_PORT'), 0, 1, 65_472)
      : undefined,
    logLevel: choice('LOG_LEVEL', text('LOG_LEVEL'), logLevels),
    traceEndpoint: service('OTEL_EXPORTER_OTLP_ENDPOINT', text('OTEL_EXPORTER_OTLP_ENDPOINT')),
    traceShare: share('OTEL_TRACES_SAMPLER_ARG', text('OTEL_TRACES_SAMPLER_ARG')),
    messagesKeptDays: optionalNumber('MESSAGES_KEPT_DAYS', text('MESSAGES_KEPT_DAYS'), 30, 36_500),
    auditKeptDays: optionalNumber('AUDIT_KEPT_DAYS', text('AUDIT_KEPT_DAYS'), 30, 36_500),
    jobs: choice('JOBS', text('JOBS'), ['on', 'off']) !== 'off',
    pageCacheBytes: wholeNumber('PAGE_CACHE_MB', text('PAGE_CACHE_MB'), 36, 1, 4096) * 1024 * 1024,
    pageStoreBytes: wholeNumber('PAGE_STORE_MB', text('PAGE_STORE_MB'), 1024, 0, 1_048_576) * 1024 * 1024,
    addressLimits: factor('ADDRESS_LIMITS', text('ADDRESS_LIMITS')),
    drainSeconds: wholeNumber('DRAIN_SECONDS', text('DRAIN_SECONDS'), text('TRUSTED_PROXIES') ? 4 : 0, 0, 8),
    processes: processes(text('PROCESSES')),
    databaseConnections: optionalNumber('DATABASE_CONNECTIONS', text('DATABASE_CONNECTIONS'), 11, 10_000),
  };
}

function originOf(port: number): string {
  return port === 4321 ? site.demoUrl : `http://localhost:${port}`;
}

function wholeNumber(setting: string, value: string | undefined, fallback: number, from: number, to: number) {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < from || number > to) {
    throw new ConfigError(setting, `must be a whole number from ${from} to ${to}, not "${value}".`);
  }
  return number;
}

function share(setting: string, value = '1'): number {
  if (!/^(?:0(?:\.\d+)?|\.\d+|1(?:\.0+)?)$/.test(value))
    throw new ConfigError(setting, `must be a share from 0 to 1, such as 0.1, not "${value}".`);
  return Number(value);
}

function factor(setting: string, value = '1'): number {
  if (!/^(?:\d{1,3}|\d{0,3}\.\d{1,3})$/.test(value) || Number(value) < 0.1 || Number(value) > 100)
    throw new ConfigError(setting, `must be a number from 0.1 to 100, such as 5, not "${value}".`);
  return Number(value);
}

function optionalNumber(setting: string, value: string | undefined, from: number, to: number) {
  return value === undefined ? undefined : wholeNumber(setting, value, from, from, to);
}

/** 0 means `auto`. */
function processes(value: string | undefined): Config['processes'] {
  if (value === 'auto') return value;
  if (value !== undefined && !/^(?:\d|[1-5]\d|6[0-4])$/.test(value))
    throw new ConfigError('PROCESSES', `must be "auto" or a whole number from 0 to 64, not "${value}".`);
  return value === undefined ? undefined : Number(value) || 'auto';
}

function choice<Choice extends string>(
  setting: string,
  value: string | undefined,
  choices: readonly Choice[],
) {
  const chosen = choices.find((each) => each === value);
  if (value !== undefined && !chosen)
    throw new ConfigError(
      setting,
      `must be one of ${choices.map((each) => `"${each}"`).join(', ')}, not "${value}".`,
    );
  return chosen;
}

function origin(setting: string, value: string | undefined): string | undefined {
  const address = readUrl(setting, value, ['http:', 'https:'])?.replace(/\/+$/, '');
  if (address && !/^https?:\/\/[^/?#@]+$/i.test(address))
    throw new ConfigError(setting, 'must be an address without a path, as in https://byeol.example.');
  return address;
}

/** The address of a service below which its own paths are, without a slash at its end. */
function service(setting: string, value: string | undefined): string | undefined {
  const address = readUrl(setting, value, ['http:', 'https:'])?.replace(/\/+$/, '');
  if (address && /[?#@]/.test(address))
    throw new ConfigError(setting, 'must be an address without a query, a fragment or a password.');
  return address;
}

function mailServer(value: string | undefined): string | undefined {
  const address = readUrl('SMTP_URL', value, ['smtp:', 'smtps:']);
  if (address && new URL(address).hostname === '')
    throw new ConfigError('SMTP_URL', 'must name a mail server.');
  return address;
}

function sender(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(value)) {
    throw new ConfigError('MAIL_FROM', 'must be an e-mail address, without a name.');
  }
  return value;
}

function storage(value: string | undefined): Config['storage'] {
  const address = readUrl('STORAGE_URL', value, ['s3:']);
  if (address === undefined) return undefined;
  const { settings, folder } = bucket('STORAGE_URL', address);
  if (folder !== '') throw new ConfigError('STORAGE_URL', 'must be a bucket, without folders behind it.');
  return settings;
}

function bucket(setting: string, address: string) {
  try {
    return readStorageUrl(address);
  } catch (error) {
    if (error instanceof StorageUrlError) throw new ConfigError(setting, error.message);
    throw error;
  }
}

function place(value: string | undefined): string | undefined {
  if (value === undefined || !isAddress(value)) return value;
  if (!/^s3:/i.test(value)) throw new ConfigError('BACKUP_URL', placeForms);
  bucket('BACKUP_URL', value);
  return value;
}

/**
 * A passphrase or token of a setting or a file. What it locks can be guessed at for ever by whoever holds a copy, or asks.
 * @throws ConfigError when it is short
 */
export function passphrase(setting: string, value: string | undefined): string | undefined {
  if (value !== undefined && [...value].length < 16)
    throw new ConfigError(setting, 'must have at least 16 characters, such as six random words.');
  return value;
}

function entriesOf(value: string | undefined): string[] {
  return (
    value
      ?.split(',')
      .map((entry) => entry.trim())
      .filter(Boolean) ?? []
  );
}

/** True for an address, or for a CIDR block such as `10.0.0.0/8`. */
function isAddressOrBlock(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || widest < 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
}

function proxies(value: string | undefined): string[] {
  const entries = entriesOf(value);
  const wrong = entries.find((entry) => !isAddressOrBlock(entry));
  if (wrong !== undefined)
    throw new ConfigError(
      'TRUSTED_PROXIES',
      `must be addresses or CIDR blocks separated by commas, not "${wrong}".`,
    );
  return entries;
}

function fetchAllow(value: string | undefined): string[] {
  return entriesOf(value).map((entry) => {
    const allowed = entry.includes('/') ? isAddressOrBlock(entry) && entry : hostWithPort(entry);
    if (!allowed)
      throw new ConfigError(
        'FETCH_ALLOW',
        `must be hosts with their port or CIDR blocks separated by commas, such as "bridge:8080, 10.0.0.0/8", not "${entry}".`,
      );
    return allowed;
  });
}

/** `host:port` as addresses say it, whatever way it is written; undefined for anything else. */
function hostWithPort(entry: string): string | undefined {
  const [, host, digits] = entry.match(/^(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+):(\d{1,5})$/iu) ?? [];
  const port = Number(digits);
  const address = `http://${host}/`;
  if (host === undefined || !URL.canParse(address) || port < 1 || port > 65_535) return undefined;
  const { hostname } = new URL(address);
  return `${hostname.replace(/\.$/, '')}:${port}`;
}

function pair(
  emailSetting: string,
  email: string | undefined,
  passwordSetting: string,
  password: string | undefined,
) {
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined) throw new ConfigError(emailSetting, `is needed when ${passwordSetting} is set.`);
  if (password === undefined)
    throw new ConfigError(passwordSetting, `is needed when ${emailSetting} is set.`);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError(emailSetting, 'must be an e-mail address.');
  if (password.length < 6 || password.length > 128) {
    throw new ConfigError(passwordSetting, 'must have 6 to 128 characters.');
  }
  return { email, password };
}

function ai(
  baseUrl: string | undefined,
  apiKey: string | undefined,
  model: string | undefined,
  budget: Pick<AiSettings, 'dailyTokens' | 'timeout' | 'price'>,
): Config['ai'] {
  const address = readUrl('AI_BASE_URL', baseUrl, ['http:', 'https:']);
  if (!address) {
    const lone = model ? 'AI_MODEL' : apiKey ? 'AI_API_KEY' : undefined;
    if (lone) throw new ConfigError('AI_BASE_URL', `is needed when ${lone} is set.`);
    return undefined;
  }
  if (!model) throw new ConfigError('AI_MODEL', 'is needed when AI_BASE_URL is set.');
  return { baseUrl: address, apiKey: apiKey ?? '', model, ...budget };
}

function price(value: string | undefined): AiSettings['price'] {
  if (value === undefined) return undefined;
  const [, input, output] = value.match(/^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/) ?? [];
  if (input === undefined || output === undefined) {
    throw new ConfigError(
      'AI_PRICE',
      'must be dollars for a million tokens in and out, such as "0.15/0.60".',
    );
  }
  return { input: Number(input), output: Number(output) };
}

let current: Config | undefined;

/** The settings of this process: `process.env` is read here, once, and nowhere else. */
export function config(): Config {
  return current ?? setConfig(getConfig(process.env));
}

/** Replaces the settings of this process (start-up after choosing a port, and tests); none of their secrets is logged from now on. */
export function setConfig(next: Config): Config {
  current = next;
  hideSecrets(secretsOf(next));
  return next;
}
